package main

import (
	"encoding/binary"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// takerBuilder builds a random model of operators whose outputs may take over inputs, at
// all distances, and of operators that ask for scratch.
type takerBuilder struct {
	*rand.Rand
	model encode.Model
	sub   *encode.Subgraph
	kind  schema.TensorType
	// open are the tensors that operators may read.
	open []int
}

func taker(seed uint64) encode.Model {
	b := &takerBuilder{Rand: rand.New(rand.NewPCG(seed, 2)), kind: schema.TensorTypeFLOAT32}
	b.model.Subgraphs = make([]encode.Subgraph, 1)
	b.sub = &b.model.Subgraphs[0]
	if b.IntN(3) == 0 {
		b.kind = schema.TensorTypeINT8 // rows of 4 bytes, which no alignment suits
	}
	b.sub.Inputs = []int{b.tensor(2 + b.Int32N(6))}
	for range 4 + b.IntN(12) {
		b.operator()
	}
	b.sub.Outputs = []int{b.open[len(b.open)-1]}
	return b.model
}

// tensor adds a tensor of so many rows.
func (b *takerBuilder) tensor(rows int32) int {
	b.sub.Tensors = append(b.sub.Tensors, encode.Tensor{Type: b.kind, Shape: []int32{rows, 4}})
	b.open = append(b.open, len(b.sub.Tensors)-1)
	return len(b.sub.Tensors) - 1
}

// ints adds a constant.
func (b *takerBuilder) ints(values ...int32) int {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	b.model.Buffers = append(b.model.Buffers, encode.Buffer{Data: data})
	b.sub.Tensors = append(b.sub.Tensors, encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{int32(len(values))}, Buffer: len(b.model.Buffers)})
	return len(b.sub.Tensors) - 1
}

// any returns one of the last tensors, and how many rows it has.
func (b *takerBuilder) any() (tensor int, rows int32) {
	tensor = b.open[max(len(b.open)-1-b.IntN(4), 0)]
	return tensor, b.sub.Tensors[tensor].Shape[0]
}

func (b *takerBuilder) operator() {
	in, rows := b.any()
	op := encode.Operator{Inputs: []int{in}}
	switch b.IntN(7) {
	case 0:
		op.Builtin, op.Outputs = schema.BuiltinOperatorRESHAPE, []int{b.tensor(rows)}
	case 1:
		op.Builtin, op.Outputs = schema.BuiltinOperatorRELU, []int{b.tensor(rows)}
	case 2:
		op.Builtin, op.Inputs = schema.BuiltinOperatorADD, []int{in, in}
		op.Outputs = []int{b.tensor(rows)}
	case 3:
		begin := b.Int32N(rows)
		size := 1 + b.Int32N(rows-begin)
		op.Builtin = schema.BuiltinOperatorSLICE
		op.Inputs = append(op.Inputs, b.ints(begin, 0), b.ints(size, 4))
		op.Outputs = []int{b.tensor(size)}
	case 4:
		before, after := b.Int32N(3), b.Int32N(3)
		op.Builtin = schema.BuiltinOperatorPAD
		op.Inputs = append(op.Inputs, b.ints(before, after, 0, 0))
		op.Outputs = []int{b.tensor(before + rows + after)}
	case 5:
		other, more := b.any()
		op = joined(in, other)
		op.Outputs = []int{b.tensor(rows + more)}
	default:
		op.Builtin = schema.BuiltinOperatorMEAN
		op.Inputs = append(op.Inputs, b.ints(0))
		op.Outputs = []int{b.tensor(1)}
	}
	b.sub.Operators = append(b.sub.Operators, op)
}

// joined is a CONCATENATION along the first dimension.
func joined(inputs ...int) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorCONCATENATION, Inputs: inputs, OptionsType: schema.BuiltinOptionsConcatenationOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ConcatenationOptionsStart(b)
			return schema.ConcatenationOptionsEnd(b)
		},
	}
}
