package app

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/tflite"
)

// Sizes of slices are chosen from halves of the largest layer: this many of them, or more until there is a plan, of at least
// leastSlice bytes.
const (
	halvings   = 5
	leastSlice = 4 << 10
)

// SliceLayers cuts the layers of a model with weights of more than [StreamOptions.Slice] bytes, if that is not 0, and
// returns notes on them. It divides the times of the layers in the options.
func (o *StreamOptions) SliceLayers(ctx context.Context, m *tflite.Model) (*tflite.Model, []results.Note, error) {
	if o.Slice == 0 {
		return m, nil, nil
	}
	sliced, done, err := litert.Slice(ctx, m, o.Slice, &o.Rates)
	text := fmt.Sprintf("layers cut by output channels: %d, into %d slices of at most %s", done.Cut, done.Pieces, units.Bytes(o.Slice))
	if done.Whole > 0 {
		text += fmt.Sprintf("; %d larger ones cannot be cut", done.Whole)
	}
	return sliced, results.Notes(results.NoteSliced, []string{text}), err
}

// A planner plans one model.
type planner func(context.Context, *tflite.Model, *StreamOptions) (*Streamed, error)

// inSlices plans a model with its layers cut as the options say. If the size of slices is to be chosen, it is the largest with
// which a run is at most one percent slower than the fastest. (Li et al. 2024, section 3.2, take as few slices as the
// budget permits.) When ctx ends, inSlices returns the fastest plan so far. Without any, it returns the result with the
// lowest least budget.
func (o StreamOptions) inSlices(ctx context.Context, m *tflite.Model, plan planner) (*Streamed, error) {
	if o.Slice > 0 || o.ForLatency || o.Whole {
		return o.inSlicesOf(ctx, m, plan)
	}
	now := o
	if o.SearchNodes == stream.Unlimited {
		now.SearchNodes = 0 // sizes are compared by quick searches
	}
	best, err := now.inSlicesOf(ctx, m, plan)
	if err != nil {
		return nil, err
	}
	largest := litert.LargestWeights(m)
	whole := best.Plan != nil && !o.Faster
	last, sizes, times := best, []int64{0}, []time.Duration{best.latency()}
	for size := largest / 2; !whole && size >= leastSlice && ctx.Err() == nil; size /= 2 {
		if best.Plan != nil && (len(sizes) > halvings || best.latency() <= longer(best.Network.Compute())) {
			break
		}
		hopeless := best.Plan == nil && !last.fitsInSlices(o.Budget, now.Slice)
		if hopeless { // but how much would suffice?
			size = max(min(size, largest>>halvings), leastSlice)
		}
		now.Slice = size
		last, err = now.inSlicesOf(ctx, m, plan)
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		sizes, times = append(sizes, size), append(times, last.latency())
		if last.latency() < best.latency() || best.Plan == nil && last.LeastBudgetBytes < best.LeastBudgetBytes {
			best = last
		}
		if hopeless {
			break
		}
	}
	if best.Plan == nil || ctx.Err() != nil || len(sizes) == 1 && o.SearchNodes == now.SearchNodes {
		return best, nil
	}
	now.Slice = sizes[slices.IndexFunc(times, func(t time.Duration) bool { return t <= longer(best.latency()) })]
	now.SearchNodes = o.SearchNodes
	last, err = now.inSlicesOf(ctx, m, plan)
	if ctx.Err() != nil && (err != nil || last.latency() > best.latency()) {
		return best, nil
	}
	return last, err
}

// latency returns the time of a run, the most possible if there is no plan.
func (s *Streamed) latency() time.Duration {
	if s.Plan == nil {
		return math.MaxInt64
	}
	return s.Plan.Latency
}

// longer returns a time and one percent, the slowdown that is accepted for fewer slices.
func longer(d time.Duration) time.Duration { return d + min(d/100, math.MaxInt64-d) }

// fitsInSlices reports whether a network without a plan may have one in smaller slices than those of at most size bytes
// into which its weights are cut, or in slices at all if size is 0. Weights above that size cannot be cut.
func (s *Streamed) fitsInSlices(budget, size int64) bool {
	weights := make([]int64, len(s.Network.Layers))
	for _, t := range s.Network.Tensors {
		if t.Kind == network.Weight {
			weights[t.First] += t.Size
		}
	}
	for i, live := range s.Network.Live() {
		if s.Files == nil && size > 0 && weights[i] > size {
			live += weights[i]
		}
		if live > budget {
			return false
		}
	}
	return true
}

// inSlicesOf plans a model with its layers cut into slices of at most [StreamOptions.Slice] bytes, or whole.
func (o StreamOptions) inSlicesOf(ctx context.Context, m *tflite.Model, plan planner) (*Streamed, error) {
	sliced, notes, err := o.SliceLayers(ctx, m)
	if err != nil {
		return nil, err
	}
	r, err := plan(ctx, sliced, &o)
	if err == nil {
		r.Notes = append(r.Notes, notes...)
	}
	return r, err
}
