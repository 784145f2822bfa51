package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// simplify drops the operators that the rule set's runtime does not run.
func (w *work) simplify() {
	if w.rules.FoldConstants {
		w.drop(w.foldable)
	}
	if w.rules.DropNoOpResize {
		w.drop(w.noOpResize)
	}
	if w.rules.MergeSpatialPad {
		w.drop(w.spatialPad)
	}
	if w.rules.InPlace {
		w.shareInPlace()
	}
}

// drop removes the operators for which replace returns true. Their readers read the returned
// tensor instead of the dropped output; -1 makes the output constant.
func (w *work) drop(replace func(*lifetime.Operator) (tensor int, ok bool)) {
	w.count()
	instead := map[int]int{}
	var kept []lifetime.Operator
	for i := range w.operators {
		op := w.operators[i]
		op.Inputs = substitute(op.Inputs, instead)
		tensor, ok := replace(&op)
		if !ok {
			kept = append(kept, op)
			continue
		}
		out := op.Outputs[0]
		if tensor < 0 {
			w.constant[out] = true
			continue
		}
		w.dropped[out] = true
		instead[out] = tensor
	}
	w.operators = kept
	w.count()
}

// substitute replaces tensors, in a copy if any changes: the model's own slice must not change.
func substitute(tensors []int, instead map[int]int) []int {
	changed := tensors
	for i, t := range tensors {
		if s, ok := instead[t]; ok {
			if &changed[0] == &tensors[0] {
				changed = slices.Clone(tensors)
			}
			changed[i] = s
		}
	}
	return changed
}

// is reports whether the operator has one of the builtin codes.
func (w *work) is(op *lifetime.Operator, codes ...schema.BuiltinOperator) bool {
	return slices.Contains(codes, w.builtin(&w.sub.Operators[op.Index]))
}

// internal reports whether op has one output, made only by op and neither a graph input nor a
// graph output, so that op can be dropped.
func (w *work) internal(op *lifetime.Operator) bool {
	if len(op.Outputs) != 1 || len(op.Inputs) == 0 || op.Outputs[0] < 0 || op.Inputs[0] < 0 {
		return false
	}
	out := &w.sub.Tensors[op.Outputs[0]]
	return !out.Input && !out.Output && w.made[out.Index] == 1
}

// foldable recognises DEQUANTIZE and DENSIFY of a constant.
func (w *work) foldable(op *lifetime.Operator) (int, bool) {
	fold := w.is(op, schema.BuiltinOperatorDEQUANTIZE, schema.BuiltinOperatorDENSIFY) &&
		w.internal(op) && w.constant[op.Inputs[0]]
	return -1, fold
}

// noOpResize recognises a RESIZE whose output has the shape of its input.
func (w *work) noOpResize(op *lifetime.Operator) (int, bool) {
	if !w.is(op, schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR) || !w.internal(op) {
		return 0, false
	}
	in, out := op.Inputs[0], op.Outputs[0]
	return in, slices.Equal(w.sub.Tensors[in].Shape, w.sub.Tensors[out].Shape)
}

// spatialPad recognises a PAD of only height and width whose only reader is a convolution,
// which can absorb it.
func (w *work) spatialPad(o *lifetime.Operator) (int, bool) {
	if !w.is(o, schema.BuiltinOperatorPAD) || !w.internal(o) || !w.padsSpaceOnly(&w.sub.Operators[o.Index]) {
		return 0, false
	}
	out := o.Outputs[0]
	if w.read[out] != 1 {
		return 0, false
	}
	next := &w.operators[w.reader[out]]
	conv := w.is(next, schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D)
	return o.Inputs[0], conv && next.Inputs[0] == out
}

// padsSpaceOnly reports whether a 4D PAD has constant paddings, int32 or int64, of 0 before and
// after batch and channels.
func (w *work) padsSpaceOnly(o *tflite.Operator) bool {
	pads, ok := op.Paddings(w.model, w.sub, o)
	if !ok || len(pads) != 4 || pads[0] != [2]int64{} || pads[3] != [2]int64{} {
		return false
	}
	kind := w.sub.Tensors[o.Inputs[1]].Type
	return kind == schema.TensorTypeINT32 || kind == schema.TensorTypeINT64
}
