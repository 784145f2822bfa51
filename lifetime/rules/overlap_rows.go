package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// Kernels that go row by row, or element by element.

// connected is FULLY_CONNECTED: every element of a row of the output needs the whole row of the
// input. (reference_ops::FullyConnected.)
func connected(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.like(input, output)
	if !ok || len(out.shape) == 0 {
		return diagonal.Nest{}, false
	}
	units := out.dim(len(out.shape) - 1)
	rows := out.stride(-1) / (units * out.width)
	return diagonal.Nest{
		Loops: []diagonal.Loop{diagonal.Even(rows, units*out.width, in.stride(-1)/rows), diagonal.Even(units, out.width, 0)},
		Unit:  out.width,
	}, true
}

// multiplied is BATCH_MATMUL. The kernel wants the rows of its first operand and the columns of
// its second one in a row: an operand that has them the other way round is turned before anything
// is written. (reference_ops::BatchMatMul.)
func multiplied(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	var o schema.BatchMatMulOptions
	given := k.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o)
	if input == 0 && given && o.AdjX() || input == 1 && !(given && o.AdjY()) {
		return diagonal.Nest{}, true
	}
	return inOrder(k, input, output)
}

// chosen is SELECT_V2 of tensors of one shape. Where something is repeated, the kernel may copy
// many elements at once. (reference_ops::Select.)
func chosen(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	for i := range k.op.Inputs {
		if t := k.sub.Operand(k.op.Inputs, i); t == nil || !slices.Equal(t.Shape, k.sub.Operand(k.op.Outputs, output).Shape) {
			return diagonal.Nest{}, false
		}
	}
	return inOrder(k, input, output)
}

// inRows is a kernel that looks at a whole row, and then goes through it once more, element by
// element.
func inRows(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pair(input, output)
	return diagonal.Nest{
		Loops: []diagonal.Loop{diagonal.Even(out.stride(-1)/max(out.width, 1), out.width, in.width)},
		Unit:  out.width,
	}, ok
}
