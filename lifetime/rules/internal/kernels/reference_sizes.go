package kernels

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	facts "github.com/tflarena/tflarena/tflite/op"
)

// Sizes and conditions of single kernels of the reference library.

// depthChannels is the multipliers of a depthwise convolution, four bytes per channel of its
// filter.
var depthChannels = times(fixed(4), ofInput(1, axis(3)))

// perChannel reports whether a filter has a scale per channel.
func perChannel(k *Kernel) bool { return scalesOf(k.input(1)) > 1 }

// gate is one of the buffers of an LSTM, of the size of the cell state.
var gate = where(func(k *Kernel) bool { return k.input(cellState) != nil }, scratch(ofInput(cellState, Bytes)))

const cellState = 19

// open reports whether the shape of a RESHAPE's output in the file has a -1.
func open(k *Kernel) bool {
	t := k.output(0)
	return t != nil && slices.Contains(t.Shape, -1)
}

func adjointX(k *Kernel) bool {
	var o schema.BatchMatMulOptions
	return k.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o) && o.AdjX()
}

func adjointY(k *Kernel) bool {
	var o schema.BatchMatMulOptions
	return k.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o) && o.AdjY()
}

// transposed is a tensor struct, a shape and the data of a transposed operand of BATCH_MATMUL.
func transposed(operand int) ask {
	return all(data(12, 24), keep(ofInput(operand, shapeOf)), keep(ofInput(operand, Bytes)))
}

func whereWide(a ask) ask { return where(func(k *Kernel) bool { return k.abi.wide() }, a) }

// assignment requests the memory of a resource variable on its first assignment, for variables
// whose handle was created earlier in the same subgraph.
func assignment(k *Kernel, a Asker) {
	value := k.input(1)
	if name, ok := k.handle(); ok && value != nil && !k.assigned[name] {
		k.assigned[name] = true
		a.Keep(1, Bytes(value))
	}
}

// handle returns the name of the variable in the operator's first input, from the last
// VAR_HANDLE before the operator that made it.
func (k *Kernel) handle() (name string, ok bool) {
	if len(k.op.Inputs) == 0 || k.op.Inputs[0] < 0 {
		return "", false
	}
	producer := k.sub.Tensors[k.op.Inputs[0]].Producer
	if producer < 0 || producer >= min(k.op.Index, len(k.sub.Operators)) { // [Single] has none
		return "", false
	}
	return facts.VariableName(k.model, &k.sub.Operators[producer])
}
