package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// resolve infers the one unknown dimension of a RESHAPE's output, as the kernels of TensorFlow
// Lite Micro do before its memory is planned.
func (w *work) resolve(op *tflite.Operator) {
	if !w.rules.ResolveReshape || len(op.Inputs) == 0 || op.Inputs[0] < 0 || len(op.Outputs) == 0 || op.Outputs[0] < 0 {
		return
	}
	in := w.sub.Tensors[op.Inputs[0]]
	if shape, ok := w.resolved[op.Inputs[0]]; ok {
		in.Shape = shape
	}
	elements, ok := in.Elements()
	if shape := filled(w.sub.Tensors[op.Outputs[0]].Shape, elements); ok && shape != nil {
		if w.resolved == nil {
			w.resolved = map[int][]int32{}
		}
		w.resolved[op.Outputs[0]] = shape
	}
}

// filled returns a shape with its one dimension of -1 replaced to match the number of elements,
// or nil if impossible.
func filled(shape []int32, elements int64) []int32 {
	at, rest := slices.Index(shape, -1), int64(1)
	if at < 0 {
		return nil
	}
	for i, d := range shape {
		if i == at {
			continue
		}
		if d <= 0 || rest > elements/int64(d) {
			return nil // also for a second unknown dimension
		}
		rest *= int64(d)
	}
	if elements%rest != 0 || elements/rest > maxDimension {
		return nil
	}
	shape = slices.Clone(shape)
	shape[at] = int32(elements / rest)
	return shape
}

// maxDimension is the largest possible dimension of a shape.
const maxDimension = 1<<31 - 1
