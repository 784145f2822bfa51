package rules

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Stand is an operator that a file does not have yet: one of its operators with other tensors.
type Stand struct {
	Model *tflite.Model
	// Operator is the operator of the file, Inputs and Outputs what it reads and makes instead;
	// nil stands for an input that is left out.
	Operator        *tflite.Operator
	Inputs, Outputs []*tflite.Tensor
	// Valid says that the padding is VALID, whatever the operator of the file has.
	Valid bool
	// Kernels are those of [Rules.Kernels], and Alias is what may share memory with them.
	Kernels string
	Alias   Alias
}

// Distance returns the distance of the overlap of its output and an input that dies with it, in
// bytes: see [lifetime.Overlap]. ok is false where there is none. It trusts that the shapes are
// those that the operator makes of each other.
func (x *Stand) Distance(input int) (distance int64, ok bool) {
	k := x.loops()
	order, known := orderOf(x.Kernels, x.Alias, x.Model.OperatorCodes[x.Operator.Code].Builtin, k.sub, k.op)
	if !known || len(x.Outputs) != 1 || x.Outputs[0] == nil || input >= len(x.Inputs) || x.Inputs[input] == nil {
		return 0, false
	}
	size, known := x.Inputs[input].PackedBytes()
	if !known {
		return 0, false
	}
	distance = -integer.RoundUp(size, max(Micro().Align, 1)) // as much as the record takes
	for i, in := range x.Inputs {
		if in != x.Inputs[input] {
			continue
		}
		nest, ok := order.loops(k, i, 0)
		if !ok {
			return 0, false
		}
		distance = max(distance, nest.Distance())
	}
	made, known := x.Outputs[0].PackedBytes()
	return distance, known && distance < made
}

// Scratch returns what the operator asks for while it runs with the kernels of a device, in bytes,
// each request rounded up as the runtime rounds it.
func (x *Stand) Scratch(device Device) (bytes int64) {
	k := x.loops()
	kernels.Single(x.Model, k.sub, k.op, device.build, x.Valid).Prepare(scratchOnly(func(n int64) {
		bytes += integer.RoundUp(max(n, 0), max(Micro().RoundSizes, 1))
	}))
	return bytes
}

// maxStandRounds is how many rounds of loops are listed for one operator. There are many that a
// file does not have yet.
const maxStandRounds = 1 << 10

// loops returns what the kernel sees: a subgraph of the operator's own tensors.
func (x *Stand) loops() *kernelLoops {
	sub, o := &tflite.Subgraph{}, *x.Operator
	place := func(list []*tflite.Tensor) []int {
		places := make([]int, len(list))
		for i, t := range list {
			if places[i] = -1; t != nil {
				places[i] = len(sub.Tensors)
				sub.Tensors = append(sub.Tensors, *t)
			}
		}
		return places
	}
	o.Inputs, o.Outputs = place(x.Inputs), place(x.Outputs)
	left := int64(maxStandRounds)
	return &kernelLoops{rules: Micro(), model: x.Model, sub: sub, op: &o, left: &left, valid: x.Valid}
}
