package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Overlaps returns the records that may overlap at the operator at which one ends and the other
// begins, in the order of operators: an output may overwrite the part of an input that the
// kernel no longer needs. It returns none unless [Alias.Overlaps], or for rule sets other than
// TensorFlow Lite Micro's. An operator has one per pair of an input and an output, and all of
// them may be used together. A graph input loses its contents in the process, as it may under
// any plan. The kernels are [Rules.KernelLibrary]. (Blacker 2020, arXiv 2010.01668; orders of
// tflite-micro 90b983c.)
func (v *View) Overlaps(a Alias) []lifetime.Overlap {
	if !a.Overlaps() || !v.Rules.IsMicro() {
		return nil
	}
	w := newTakeovers(v, a)
	list, left := []lifetime.Overlap(nil), int64(kernels.MaxRounds)
	for position, step := range v.Usage.Steps {
		if w.sharable(step) {
			list = append(list, w.overlaps(step, position, &left)...)
		}
	}
	return list
}

// maxOperands limits the inputs and outputs of an operator. Real models have far fewer. Operators beyond
// the limit do not overlap.
const maxOperands = 1 << 10

// overlaps returns the overlaps at one operator. left is the remaining number of loop rounds.
func (w *takeovers) overlaps(step lifetime.Step, position int, left *int64) (list []lifetime.Overlap) {
	s := &w.Model.Subgraphs[step.Subgraph]
	o := &s.Operators[step.Operator]
	order, known := w.Rules.kernels().Order(w.Model.OperatorCodes[o.Code].Builtin, s, o, w.alias == UnmeasuredAlias)
	if !known || len(o.Inputs)+len(o.Outputs) > maxOperands || !w.consistent(s, o) {
		return nil
	}
	loops := kernels.NewLoops(w.Model, s, o, left, false)
	for output, out := range o.Outputs {
		to, ok := w.begun(step.Subgraph, o, out, position)
		if !ok {
			continue
		}
		for i, in := range o.Inputs {
			from, ok := w.ended(step.Subgraph, in, position)
			if *left -= int64(len(o.Inputs) + len(o.Outputs)); !ok || *left < 0 || slices.Index(o.Inputs, in) < i {
				continue
			}
			if bytes, ok := distance(order, loops, o, left, in, output, w.Records()[from].Size); ok && integer.RoundUp(bytes, max(w.Rules.Align, 1)) < w.Records()[to].Size {
				list = append(list, lifetime.Overlap{
					From: from, To: to, At: position, Distance: bytes,
					Why: w.name(step) + " " + order.Why() + ", " + whereOrdered(w.Rules.KernelLibrary(), order),
				})
			}
		}
	}
	return list
}

// distance returns the distance between a tensor of a size in bytes, which may be several inputs of
// the operator, and an output. It returns false if the order is unknown for one of these inputs.
func distance(order kernels.Order, loops *kernels.Loops, o *tflite.Operator, left *int64, tensor, output int, size int64) (int64, bool) {
	most := -size
	for i, in := range o.Inputs {
		if in != tensor {
			continue
		}
		*left -= int64(len(o.Inputs) + len(o.Outputs))
		bytes, ok := order.Distance(loops, i, output)
		if !ok || *left < 0 {
			return 0, false
		}
		most = max(most, bytes)
	}
	return most, true
}

// consistent reports whether the output shapes in the file match the operator: kernels take
// their loop bounds from either.
func (w *takeovers) consistent(s *tflite.Subgraph, o *tflite.Operator) bool {
	shapes, err := op.Shapes(w.Model, s, o)
	if err != nil {
		return false
	}
	for i, shape := range shapes {
		if t := s.Operand(o.Outputs, i); t == nil || !slices.Equal(t.Shape, shape) {
			return false
		}
	}
	return true
}

// begun returns the record of an output that begins at the operator and is written only there.
func (w *takeovers) begun(subgraph int, o *tflite.Operator, tensor, position int) (int, bool) {
	at := lifetime.Place{Subgraph: subgraph, Tensor: tensor}
	i, ok := w.record[at]
	return i, ok && w.Records()[i].First == position && w.made[at] == 1 &&
		!w.Model.Subgraphs[subgraph].Tensors[tensor].Variable && !slices.Contains(o.Inputs, tensor)
}

// ended returns the record of an input whose contents are not needed after the operator. An
// input of another subgraph may be needed by the operator that calls it.
func (w *takeovers) ended(subgraph, tensor, position int) (int, bool) {
	at := lifetime.Place{Subgraph: subgraph, Tensor: tensor}
	i, ok := w.record[at]
	if !ok || w.made[at] != 1 {
		return 0, false
	}
	r, t := w.Records()[i], &w.Model.Subgraphs[subgraph].Tensors[tensor]
	return i, w.dies(i, position) && r.First < position && !t.Output && !t.Variable && (!t.Input || subgraph == 0)
}
