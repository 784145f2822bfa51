package litert

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Slices counts operators with too many weights.
type Slices struct {
	// Cut operators became Pieces; Whole operators cannot be cut.
	Cut, Pieces, Whole int
}

// Slice returns a model in which operators with more than size bytes of weights are cut along their
// output channels into slices of at most size bytes of weights, if possible, of multiples of 8 channels where a layer has
// enough (Li et al. 2024, sections 3.2 and 4). It divides measured times among the pieces in proportion to their multiply-accumulates. If
// [edit.Apply] refuses the edit, Slice returns the model itself. Errors are other errors of
// [edit.Apply], and ctx.Err().
func Slice(ctx context.Context, m *tflite.Model, size int64, r *Rates) (*tflite.Model, Slices, error) {
	s := &m.Subgraphs[0]
	e := edit.Edit{}
	var done Slices
	channels := channelsOf(m)
	for i := range s.Operators {
		if err := deadline.Err(ctx); err != nil {
			return nil, done, err
		}
		if constantBytes(m, s, s.Operators[i].Inputs) <= size {
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		f, pieces, err := cut(ctx, m, i, channels[i], len(s.Tensors)+len(e.Tensors), size)
		if err != nil {
			return nil, done, err
		}
		if f == nil {
			done.Whole++
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		done.Cut++
		done.Pieces += pieces
		e.Tensors, e.Operators = append(e.Tensors, f.Tensors...), append(e.Operators, f.Operators...)
	}
	if done.Cut == 0 {
		return m, done, nil
	}
	result, err := edit.Apply(m, e, rewrite.Options{Force: true})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return m, Slices{Whole: done.Whole + done.Cut}, nil // such as operators whose place among others is fixed
	}
	if err != nil {
		return nil, done, err
	}
	sliced, err := tflite.Parse(result.Data, m.Name)
	if err != nil {
		return nil, done, err
	}
	if r.Compute != nil {
		r.Compute = sharedTimes(m, sliced, e.Operators, r.Compute)
	}
	return sliced, done, nil
}

// LargestWeights returns the most bytes of weights that an operator of the first subgraph reads.
func LargestWeights(m *tflite.Model) (bytes int64) {
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		bytes = max(bytes, constantBytes(m, s, s.Operators[i].Inputs))
	}
	return bytes
}

// channelStep is the number of channels that vector units compute at once: slices have a multiple of them, where a layer has
// enough (Li et al. 2024, section 4).
const channelStep = 8

// moreSlices is the number of slices tried beyond those that even slices would take.
const moreSlices = 2

// channelsOf returns the number of output channels of each operator, 0 if it cannot be cut along them.
func channelsOf(m *tflite.Model) []int64 {
	s := &m.Subgraphs[0]
	list := make([]int64, len(s.Operators))
	for run := range split.ChannelRuns(m, 1) {
		shape := s.Tensors[run.Out].Shape
		list[run.First] = int64(shape[len(shape)-1])
	}
	return list
}

// cut divides an operator into the fewest slices with at most size bytes of constants each, of multiples of [channelStep]
// channels if possible. base is the index of the first new tensor. The fragment is nil if there are no such slices.
func cut(ctx context.Context, m *tflite.Model, operator int, channels int64, base int, size int64) (*split.Fragment, int, error) {
	bytes := constantBytes(m, &m.Subgraphs[0], m.Subgraphs[0].Operators[operator].Inputs)
	for _, step := range []int64{channelStep, 1} {
		most := int64(float64(channels) * float64(size) / float64(bytes)) // channels of a slice
		most -= most % step
		if most == 0 {
			continue
		}
		fewest := max((channels/step+most/step-1)/(most/step), 2)
		for n := fewest; n <= min(fewest+moreSlices, channels); n++ {
			if err := deadline.Err(ctx); err != nil {
				return nil, 0, err
			}
			stage := split.Stage{First: operator, Last: operator, Rows: 1, Columns: 1, Channels: int(n), ChannelStep: int(step)}
			f, err := split.Cut(m, stage, base)
			if wrong := (*split.UncuttableError)(nil); errors.As(err, &wrong) {
				break
			}
			if err != nil {
				return nil, 0, err
			}
			if largestSlice(m, f, base) <= size {
				return f, int(n), nil
			}
		}
	}
	return nil, 0, nil
}

// constantBytes returns the bytes of the constants among some tensors.
func constantBytes(m *tflite.Model, s *tflite.Subgraph, inputs []int) (bytes int64) {
	for _, i := range inputs {
		if i >= 0 && s.Tensors[i].Constant {
			bytes += stored(m, &s.Tensors[i])
		}
	}
	return bytes
}

// largestSlice returns the most bytes of constants that an operator of a fragment reads.
func largestSlice(m *tflite.Model, f *split.Fragment, base int) (most int64) {
	s := &m.Subgraphs[0]
	for i := range f.Operators {
		var bytes int64
		for _, t := range f.Operators[i].Inputs {
			switch {
			case t >= base:
				bytes += int64(len(f.Tensors[t-base].Data))
			case t >= 0 && s.Tensors[t].Constant:
				bytes += stored(m, &s.Tensors[t])
			}
		}
		most = max(most, bytes)
	}
	return most
}

// sharedTimes returns the times of the operators of an edited model. Operators that join pieces take no
// time.
func sharedTimes(m, sliced *tflite.Model, list []edit.Operator, times map[int]time.Duration) map[int]time.Duration {
	now := map[int]time.Duration{}
	for i, o := range list {
		switch o.Kind {
		case edit.Keep:
			now[i] = times[o.Of]
		case edit.Piece:
			part := op.MACs(sliced, &sliced.Subgraphs[0], &sliced.Subgraphs[0].Operators[i]).Total()
			all := op.MACs(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[o.Of]).Total()
			now[i] = time.Duration(float64(times[o.Of]) * float64(part) / float64(max(all, 1)))
		}
	}
	return now
}
