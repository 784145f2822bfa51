package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// joined adds the inputs of a CONCATENATION that it copies in one piece each: those along the
// first dimension above one. The kernel then copies each input onto itself. (TensorFlow Lite
// Micro, reference_ops::Concatenation: one memcpy per input.)
func (w *takeovers) joined(step lifetime.Step, op *tflite.Operator) {
	tensors := w.Model.Subgraphs[step.Subgraph].Tensors
	out := &tensors[op.Outputs[0]]
	var options schema.ConcatenationOptions
	if !op.Options(schema.BuiltinOptionsConcatenationOptions, &options) || options.FusedActivationFunction() != schema.ActivationFunctionTypeNONE {
		return
	}
	axis := int(options.Axis())
	if axis < 0 {
		axis += len(out.Shape)
	}
	if axis != outermost(out.Shape) || !wholeBytes(out) {
		return
	}
	offset := int64(0)
	for _, in := range op.Inputs {
		if in < 0 {
			return
		}
		bytes, known := tensors[in].PackedBytes()
		if !known {
			return
		}
		w.part(step, op.Outputs[0], in, offset)
		offset += bytes
	}
}

// sliced adds the output of a SLICE or STRIDED_SLICE that takes one contiguous block of its
// input: complete rows along the first dimension above one.
func (w *takeovers) sliced(step lifetime.Step, op *tflite.Operator) {
	if rows, ok := w.rows(step, op); ok && rows.whole {
		w.part(step, op.Inputs[0], op.Outputs[0], rows.from)
	}
}

// rows are bytes of a tensor, [from, to), and whether all of them are read.
type rows struct {
	from, to int64
	whole    bool
}

// rows returns the rows, along the first dimension above one, that a SLICE, or a STRIDED_SLICE
// with strides of one, reads.
func (w *takeovers) rows(step lifetime.Step, o *tflite.Operator) (rows, bool) {
	sub := &w.Model.Subgraphs[step.Subgraph]
	begin, ok := op.Cut(w.Model, sub, o)
	if !ok {
		return rows{}, false
	}
	in, out := &sub.Tensors[o.Inputs[0]], &sub.Tensors[o.Outputs[0]]
	axis := outermost(in.Shape)
	if axis >= len(in.Shape) || in.Type != out.Type || !wholeBytes(in) {
		return rows{}, false
	}
	row, whole := w.Rules.sizes(in.Type)/8, true
	for i := range in.Shape {
		if begin[i] < 0 || begin[i] > int64(in.Shape[i]-out.Shape[i]) {
			return rows{}, false
		}
		whole = whole && (i == axis || begin[i] == 0 && in.Shape[i] == out.Shape[i])
		if i > axis {
			row *= int64(in.Shape[i])
		}
	}
	from := begin[axis] * row
	return rows{from, from + int64(out.Shape[axis])*row, whole}, true
}

// part adds a tensor with the same contents as another one from an offset on, in bytes.
func (w *takeovers) part(step lifetime.Step, whole, part int, offset int64) {
	a, b := lifetime.Place{Subgraph: step.Subgraph, Tensor: whole}, lifetime.Place{Subgraph: step.Subgraph, Tensor: part}
	from, ok := w.record[a]
	to, also := w.record[b]
	records := w.Records()
	if w.made[a] > 1 || w.made[b] > 1 {
		return
	}
	// Offsets in a file are multiples of the alignment, and sizes are rounded up to it.
	if !ok || !also || from == to || offset%max(w.Rules.Align, 1) != 0 || offset+records[to].Size > records[from].Size {
		return
	}
	w.list = append(w.list, lifetime.Takeover{From: from, To: to, Offset: offset, Why: w.name(step) + " only copies"})
}

// wholeBytes reports whether the elements of a tensor are whole bytes. Others are packed in the
// file but not in every runtime's memory, and a part of them may begin within a byte.
func wholeBytes(t *tflite.Tensor) bool { return tflite.ElementBits(t.Type)%8 == 0 }

// outermost returns the first dimension above one, or the last.
func outermost(shape []int32) int {
	axis := slices.IndexFunc(shape, func(d int32) bool { return d > 1 })
	if axis < 0 {
		return max(len(shape)-1, 0)
	}
	return axis
}
