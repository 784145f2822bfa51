package split

import (
	"iter"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Run is a run of cuttable operators of subgraph 0 that can be a stage.
type Run struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// In is the only non-constant tensor that enters the run. Out is the output of Last and the
	// only tensor used outside the run.
	In, Out int
	// Height and Width are the size of Out, and so the maximum numbers of tiles.
	Height, Width int
}

// Cuttable returns, for each operator of subgraph 0, an [*UncuttableError] with the reason why
// it cannot be part of a stage, or nil.
func Cuttable(m *tflite.Model) []error {
	return reasons(m, func(d *describer, index int) error {
		_, err := d.describe(index)
		return err
	})
}

// Kinds reports whether operators of a kind can be tiled along height and width, and along the
// channels. [Cuttable] and [ChannelCuttable] check individual operators.
func Kinds(code schema.BuiltinOperator) (rows, channels bool) {
	point := op.Points(code) > 0
	return imageKinds[code] != nil || rowKinds[code] != nil || point, channelKinds[code] != nil || point && code != schema.BuiltinOperatorSOFTMAX
}

// reasons returns the errors of describing each operator of subgraph 0.
func reasons(m *tflite.Model, describe func(d *describer, index int) error) []error {
	d, err := newDescriber(m)
	if err != nil {
		return nil
	}
	errs := make([]error, len(d.sub.Operators))
	for i := range errs {
		if !d.whole[i] {
			errs[i] = describe(d, i)
		}
	}
	return errs
}

// Runs returns all runs of operators with one input and one output tensor, ordered by First and
// then by Last. A model of n operators has at most n*(n+1)/2.
func Runs(m *tflite.Model) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		d, err := newDescriber(m)
		if err != nil {
			return
		}
		s := &scanner{describer: d, operators: make([]*operator, len(d.sub.Operators))}
		for i := range s.operators {
			// An operator that cannot be described is nil and ends a run.
			s.operators[i], _ = d.describe(i)
		}
		for first := range s.operators {
			if !s.from(first, yield) {
				return
			}
		}
	}
}

// scanner finds runs.
type scanner struct {
	*describer
	operators []*operator
	// in are the tensors that enter the run.
	in map[int]bool
	// uses counts, for each tensor of the run, the uses outside of it; open counts the tensors
	// with such uses.
	uses map[int]int
	open int
}

// from yields the runs that begin with an operator. It returns false to stop the iteration.
func (s *scanner) from(first int, yield func(Run) bool) bool {
	if s.whole[first] {
		return true
	}
	s.in, s.uses, s.open = map[int]bool{}, map[int]int{}, 0
	for last := first; last < len(s.operators); last++ {
		if s.whole[last] {
			continue
		}
		if !s.addOperator(s.operators[last]) {
			return true
		}
		if len(s.in) != 1 || s.open != 1 {
			continue
		}
		op := s.operators[last]
		r := Run{First: first, Last: last, Out: op.Outputs[0], Height: int(op.size.h), Width: int(op.size.w)}
		for r.In = range s.in {
		}
		if !yield(r) {
			return false
		}
	}
	return true
}

// addOperator adds an operator to the run. It returns false if no run can include it.
func (s *scanner) addOperator(op *operator) bool {
	if op == nil || !s.compatible(op) {
		return false
	}
	for _, t := range distinct(op.Inputs) {
		_, inside := s.uses[t]
		switch {
		case s.constant(t):
		case !inside:
			s.in[t] = true
		default:
			if s.uses[t]--; s.uses[t] == 0 {
				s.open--
			}
		}
	}
	out := &s.sub.Tensors[op.Outputs[0]]
	n := len(out.Consumers)
	if out.Returned {
		n++
	}
	s.uses[out.Index] = n
	s.open++
	return n > 0
}

// compatible reports whether an operator is compatible with those before it.
func (s *scanner) compatible(op *operator) bool {
	out := &s.sub.Tensors[op.Outputs[0]]
	if _, made := s.uses[out.Index]; made || out.Input || out.Constant || s.in[out.Index] {
		return false
	}
	for position, t := range op.Inputs {
		if _, inside := s.uses[t]; inside && !op.cuts(position) {
			return false
		}
	}
	return true
}

// distinct returns the tensors of a list without duplicates and omitted inputs.
func distinct(list []int) []int {
	var out []int
	seen := map[int]bool{-1: true}
	for _, t := range list {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
