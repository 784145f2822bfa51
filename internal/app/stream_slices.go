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

// leastSlice is the smallest size of slices that is chosen, in bytes.
const leastSlice = 4 << 10

// halvings is the number of sizes of slices that are tried if the first has a plan.
const halvings = 5

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

// inSlices plans a model with its layers cut as the options say. If it chooses the size of slices, it halves that of the
// largest layer five times, and further until there is a plan, and takes the largest size with which a run is at most one
// percent slower than the fastest. (Li et al. 2024, section 3.2, takes as few slices as the budget permits.) When ctx
// ends, it returns the fastest so far. Without a plan, it returns the one with the lowest least budget.
func (o *StreamOptions) inSlices(ctx context.Context, m *tflite.Model, plan planner) (*Streamed, error) {
	if o.Slice > 0 || o.ForLatency || o.Whole {
		return o.inSlicesOf(ctx, m, plan)
	}
	now := *o
	if o.SearchNodes == stream.Unlimited {
		now.SearchNodes = 0 // sizes are compared by quick searches
	}
	best, err := now.inSlicesOf(ctx, m, plan)
	if err != nil {
		return nil, err
	}
	sizes := []int64{0}
	times := map[int64]time.Duration{0: best.latency()}
	least, last, cut := best.Network.Compute(), best, int64(math.MaxInt64)
	largest := litert.LargestWeights(m)
	for now.Slice = largest / 2; (best.Plan == nil || o.Faster || len(sizes) > 1) && now.Slice >= leastSlice && ctx.Err() == nil; now.Slice /= 2 {
		if best.Plan != nil && (len(sizes) > halvings || best.latency() <= longer(least)) {
			break
		}
		hopeless := best.Plan == nil && !last.fitsInSlices(o.Budget, cut)
		if hopeless { // but how much would suffice?
			now.Slice = max(min(now.Slice, largest>>halvings), leastSlice)
		}
		cut = now.Slice
		last, err = now.inSlicesOf(ctx, m, plan)
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		sizes, times[now.Slice] = append(sizes, now.Slice), last.latency()
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
	now.Slice = sizes[slices.IndexFunc(sizes, func(size int64) bool { return times[size] <= longer(best.latency()) })]
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

// fitsInSlices reports whether a network without a plan, whose weights are cut into slices of at most size bytes, may have
// one in smaller slices. Weights above that size cannot be cut.
func (s *Streamed) fitsInSlices(budget, size int64) bool {
	weights := make([]int64, len(s.Network.Layers))
	for _, t := range s.Network.Tensors {
		if t.Kind == network.Weight {
			weights[t.First] += t.Size
		}
	}
	for i, live := range s.Network.Live() {
		if s.Files == nil && weights[i] > size {
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
