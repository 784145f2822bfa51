package rules

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Hypothetical is an operator of the file with other tensors, used to cost a rewrite before it
// exists.
type Hypothetical struct {
	Model *tflite.Model
	// Operator is the operator of the file, Inputs and Outputs its replaced operands; nil is an
	// omitted input.
	Operator        *tflite.Operator
	Inputs, Outputs []*tflite.Tensor
	// Valid forces VALID padding, whatever the options.
	Valid bool
	// Device has the kernels, and Alias is the permitted sharing.
	Device Device
	Alias  Alias
}

// Distance returns the distance, in bytes, of the overlap of its output and an input that dies
// with it: see [lifetime.Overlap]. ok is false if there is none. It does not check that the
// shapes match the operator.
func (x *Hypothetical) Distance(input int) (distance int64, ok bool) {
	sub, o := x.alone()
	left := int64(maxHypotheticalRounds)
	loops := kernels.NewLoops(x.Model, sub, o, &left, x.Valid)
	order, known := x.Device.Rules().kernels().Order(x.Model.OperatorCodes[o.Code].Builtin, sub, o, x.Alias == UnmeasuredAlias)
	if !known || len(x.Outputs) != 1 || x.Outputs[0] == nil || input >= len(x.Inputs) || x.Inputs[input] == nil {
		return 0, false
	}
	size, known := x.Inputs[input].PackedBytes()
	if !known {
		return 0, false
	}
	distance = -integer.RoundUp(size, max(Micro().Align, 1)) // the size of the record
	for i, in := range x.Inputs {
		if in != x.Inputs[input] {
			continue
		}
		bytes, ok := order.Distance(loops, i, 0)
		if !ok {
			return 0, false
		}
		distance = max(distance, bytes)
	}
	made, known := x.Outputs[0].PackedBytes()
	return distance, known && distance < made
}

// Scratch returns the scratch that the operator requests with the kernels of a device, in
// bytes, each request rounded as in the runtime.
func (x *Hypothetical) Scratch(device Device) (bytes int64) {
	sub, o := x.alone()
	kernels.Single(x.Model, sub, o, device.build(), x.Valid).Prepare(scratchOnly(func(n int64) {
		bytes += integer.RoundUp(max(n, 0), max(Micro().RoundSizes, 1))
	}))
	return bytes
}

// Kept returns the persistent memory that the operator requests for its operands with the kernels of
// a device, in bytes. [OperatorTail] is the rest.
func (x *Hypothetical) Kept(device Device) int64 {
	sub, o := x.alone()
	return kernels.Single(x.Model, sub, o, device.build(), x.Valid).Kept()
}

// maxHypotheticalRounds is the limit of listed loop rounds for one operator, because rewrites cost
// many.
const maxHypotheticalRounds = 1 << 10

// alone returns the operator in a subgraph with only its own tensors.
func (x *Hypothetical) alone() (*tflite.Subgraph, *tflite.Operator) {
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
	return sub, &o
}
