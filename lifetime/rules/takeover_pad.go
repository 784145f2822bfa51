package rules

import (
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// padded lets the output of a PAD begin before its input, so that both end together. The kernel
// iterates over the output from the first element to the last, and reads the elements of the
// input in order: unread elements are after the written ones, since the padding before an
// element is at most the total padding. (reference_ops::Pad)
func (w *takeovers) padded(step lifetime.Step, op *tflite.Operator, position int) {
	if op.Inputs[0] < 0 {
		return
	}
	tensors := w.Model.Subgraphs[step.Subgraph].Tensors
	in, out := &tensors[op.Inputs[0]], &tensors[op.Outputs[0]]
	from, ok := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: op.Inputs[0]}]
	to, also := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: op.Outputs[0]}]
	records := w.Records()
	if !ok || !also || from == to || w.kept(step.Subgraph, op.Inputs[0]) || in.Type != out.Type || !wholeBytes(in) ||
		!w.dies(from, position) || records[to].First != position {
		return
	}
	small, known := in.PackedBytes()
	large, alsoKnown := out.PackedBytes()
	if !known || !alsoKnown || small > large {
		return
	}
	align := max(w.Rules.Align, 1)
	front := (large - small + align - 1) / align * align
	w.list = append(w.list, lifetime.Takeover{
		From: from, To: to, Offset: -front, Why: w.name(step) + " writes no element behind one that it has to read, in the reference kernels",
	})
}
