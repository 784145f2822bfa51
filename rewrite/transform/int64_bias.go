package transform

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// biasTypes are the fields with the type of the bias in the options, by operator.
var biasTypes = map[schema.BuiltinOperator]int{
	schema.BuiltinOperatorCONV_2D: convBias, schema.BuiltinOperatorFULLY_CONNECTED: fullyConnectedBias, schema.BuiltinOperatorTRANSPOSE_CONV: transposeConvBias,
}

// int64Bias makes the INT32 bias of an operator on INT16 an INT64 one.
var int64Bias = Rule{
	Name: "int64-bias", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{
		schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV, schema.BuiltinOperatorFULLY_CONNECTED,
	},
	Condition: "INT16 with a constant bias of INT32", Result: "the same operator with a bias of INT64",
	Reason: "the numbers are the same; sums of 64 bits are rounded at most one output step otherwise than sums of 32 bits",
	Exact:  microAlone,
	match: func(s *site) *change {
		place, data := s.biasPlace()
		in, bias, out := s.in(data), s.in(place), s.out()
		values, ok := op.Ints(s.m, bias)
		if !ok || len(values) == 0 || !static(in, bias, out) || in.Type != schema.TensorTypeINT16 || bias.Type != schema.TensorTypeINT32 {
			return nil
		}
		t := edit.Tensor{Name: bias.Name + "/int64", Like: -1, Type: schema.TensorTypeINT64, Shape: bias.Shape}
		for _, v := range values {
			t.Data = binary.LittleEndian.AppendUint64(t.Data, uint64(v))
		}
		q := quantisationOf(bias)
		t.Quantisation = q.copied(bias.Shape)
		c := s.change()
		inputs := slices.Clone(s.op.Inputs)
		inputs[place] = c.tensor(t)
		c.again(inputs, out.Index, s.biasType(schema.TensorTypeINT64)...)
		return c
	},
}

// biasPlace returns which inputs of a matrix product are its bias and its data.
func (s *site) biasPlace() (bias, data int) {
	switch s.code {
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		return 3, 2
	case schema.BuiltinOperatorSVDF:
		return 3, 0
	}
	return 2, 0
}

// biasType returns the option that says the type of the bias, if the operator of the site has it.
func (s *site) biasType(t schema.TensorType) []edit.Option {
	var conv schema.Conv2DOptions
	var connected schema.FullyConnectedOptions
	var transposed schema.TransposeConvOptions
	has := s.op.Options(schema.BuiltinOptionsConv2DOptions, &conv) && conv.QuantizedBiasType() != 0 ||
		s.op.Options(schema.BuiltinOptionsFullyConnectedOptions, &connected) && connected.QuantizedBiasType() != 0 ||
		s.op.Options(schema.BuiltinOptionsTransposeConvOptions, &transposed) && transposed.QuantizedBiasType() != 0
	if field, ok := biasTypes[s.code]; ok && has {
		return []edit.Option{{Field: field, Value: int64(t)}}
	}
	return nil
}

// copied returns a quantisation for an added tensor of a shape, nil for none and for one that does not fit.
func (q *quantisation) copied(shape []int32) *edit.Quantisation {
	n := len(q.scales)
	if n == 0 || q.details || len(q.zeros) > n || n > 1 && (q.dimension < 0 || q.dimension >= len(shape) || int(shape[q.dimension]) != n) {
		return nil
	}
	dimension := q.dimension
	if n == 1 {
		dimension = 0
	}
	zeros := make([]int64, n)
	copy(zeros, q.zeros)
	return &edit.Quantisation{Scales: q.scales, Zeros: zeros, Dimension: dimension}
}
