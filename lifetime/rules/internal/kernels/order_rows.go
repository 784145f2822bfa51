package kernels

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
)

// Kernels that compute row by row or element by element.

// connected is FULLY_CONNECTED: every element of an output row needs the whole input row.
// (reference_ops::FullyConnected.)
func connected(k *Loops, input, output int) (diagonal.Nest, bool) {
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

// multiplied is BATCH_MATMUL. The kernel needs contiguous rows of its first operand and
// contiguous columns of its second one: an operand in the other order is transposed before
// anything is written. (reference_ops::BatchMatMul.)
func multiplied(k *Loops, input, output int) (diagonal.Nest, bool) {
	var o schema.BatchMatMulOptions
	given := k.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o)
	if input == 0 && given && o.AdjX() || input == 1 && !(given && o.AdjY()) {
		return diagonal.Nest{}, true
	}
	return inOrder(k, input, output)
}

// chosen is SELECT_V2 of tensors of one shape. If an operand is broadcast, the kernel may copy
// many elements at once. (reference_ops::Select.)
func chosen(k *Loops, input, output int) (diagonal.Nest, bool) {
	for i := range k.op.Inputs {
		if t := k.sub.Operand(k.op.Inputs, i); t == nil || !slices.Equal(t.Shape, k.sub.Operand(k.op.Outputs, output).Shape) {
			return diagonal.Nest{}, false
		}
	}
	return inOrder(k, input, output)
}

// inRows is a kernel that reads a whole row, and then iterates over it once more, element by
// element.
func inRows(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pair(input, output)
	return diagonal.Nest{
		Loops: []diagonal.Loop{diagonal.Even(out.stride(-1)/max(out.width, 1), out.width, in.width)},
		Unit:  out.width,
	}, ok
}

// readWhole is a kernel that collects its results in scratch and writes them after all reads.
func readWhole(k *Loops, input, output int) (diagonal.Nest, bool) {
	_, _, ok := k.like(input, output)
	return diagonal.Nest{}, ok
}

// rowsAlike is [inRows] with equal input and output types.
func rowsAlike(k *Loops, input, output int) (diagonal.Nest, bool) {
	if _, _, ok := k.like(input, output); !ok {
		return diagonal.Nest{}, false
	}
	return inRows(k, input, output)
}
