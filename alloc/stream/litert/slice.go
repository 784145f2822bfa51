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
// output channels into pieces of at most size bytes of weights, if possible (Li et al. 2024, section
// 3.2). It divides measured times among the pieces in proportion to their multiply-accumulates. If
// [edit.Apply] refuses the edit, Slice returns the model itself. Errors are other errors of
// [edit.Apply], and ctx.Err().
func Slice(ctx context.Context, m *tflite.Model, size int64, r *Rates) (*tflite.Model, Slices, error) {
	s := &m.Subgraphs[0]
	e := edit.Edit{}
	var done Slices
	for i := range s.Operators {
		if err := deadline.Err(ctx); err != nil {
			return nil, done, err
		}
		pieces := sliceCount(m, s, &s.Operators[i], size)
		if pieces < 2 {
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		stage := split.Stage{First: i, Last: i, Rows: 1, Columns: 1, Channels: pieces}
		f, err := split.Cut(m, stage, len(s.Tensors)+len(e.Tensors))
		if wrong := (*split.UncuttableError)(nil); errors.As(err, &wrong) {
			done.Whole++
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		if err != nil {
			return nil, done, err
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

// sliceCount returns the number of pieces for an operator.
func sliceCount(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, size int64) int {
	var bytes int64
	for _, i := range o.Inputs {
		if i >= 0 && s.Tensors[i].Constant {
			bytes += stored(m, &s.Tensors[i])
		}
	}
	const most = 1 << 20
	return int(min((bytes+size-1)/size, most))
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
