package transform

import (
	"encoding/binary"
	"math"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// activationFields are the fields of the fused activation in the options, by operator.
var activationFields = map[schema.BuiltinOperator]int{schema.BuiltinOperatorTRANSPOSE_CONV: transposeConvActivation, schema.BuiltinOperatorADD: 0}

// separateActivation computes a fused activation, which a kernel ignores, by operators of its own.
var separateActivation = Rule{
	Name: "separate-activation", Purpose: Repairs,
	Operators: []schema.BuiltinOperator{schema.BuiltinOperatorTRANSPOSE_CONV, schema.BuiltinOperatorADD},
	Condition: "a fused RELU, RELU6 or RELU_N1_TO_1",
	Result:    "the same operator without it, and RELU, RELU6, or MAXIMUM and MINIMUM with constants",
	Reason:    "a fused activation limits the output to a range of its numbers",
	Exact:     everywhere,
	match: func(s *site) *change {
		out := s.out()
		if !static(out) {
			return nil
		}
		a := s.activation()
		lowest, highest, ok := limits(a, out)
		if !ok {
			return nil
		}
		c := s.change()
		at := c.like(out, out.Shape...)
		c.again(s.op.Inputs, at, edit.Option{Field: activationFields[s.code], Value: int64(schema.ActivationFunctionTypeNONE)})
		if code, ok := activation(a); ok && rectifies(out) {
			c.add(code, []int{at}, out.Index)
			return c
		}
		steps := []schema.BuiltinOperator{schema.BuiltinOperatorMAXIMUM}
		values := [][]byte{lowest}
		if highest != nil {
			steps, values = append(steps, schema.BuiltinOperatorMINIMUM), append(values, highest)
		}
		for i, code := range steps {
			to := out.Index
			if i < len(steps)-1 {
				to = c.like(out, out.Shape...)
			}
			limit := c.tensor(edit.Tensor{Name: c.name(out), Like: out.Index, Shape: []int32{1}, Data: values[i]})
			c.add(code, []int{at, limit}, to)
			at = to
		}
		return c
	},
}

// rectifies reports whether kernels compute RELU of a tensor, with an output quantised like it.
func rectifies(t *tflite.Tensor) bool {
	q := quantisationOf(t)
	return t.Type == schema.TensorTypeFLOAT32 || t.Type == schema.TensorTypeINT8 || t.Type == schema.TensorTypeINT16 && q.symmetric()
}

// activation returns the fused activation of a TRANSPOSE_CONV or ADD.
func (s *site) activation() schema.ActivationFunctionType {
	var transposed schema.TransposeConvOptions
	var sum schema.AddOptions
	switch {
	case s.op.Options(schema.BuiltinOptionsTransposeConvOptions, &transposed):
		return transposed.FusedActivationFunction()
	case s.op.Options(schema.BuiltinOptionsAddOptions, &sum):
		return sum.FusedActivationFunction()
	}
	return schema.ActivationFunctionTypeNONE
}

// ranges are the limits of activations; +Inf is none.
var ranges = map[schema.ActivationFunctionType][2]float64{
	schema.ActivationFunctionTypeRELU:         {0, math.Inf(1)},
	schema.ActivationFunctionTypeRELU6:        {0, 6},
	schema.ActivationFunctionTypeRELU_N1_TO_1: {-1, 1},
}

// limits returns the numbers to which an activation limits a tensor, as it stores them. There may be no highest.
func limits(a schema.ActivationFunctionType, t *tflite.Tensor) (lowest, highest []byte, ok bool) {
	r, ok := ranges[a]
	if !ok {
		return nil, nil, false
	}
	if lowest, ok = stored(t, r[0]); !ok {
		return nil, nil, false
	}
	if !math.IsInf(r[1], 1) {
		highest, ok = stored(t, r[1])
	}
	return lowest, highest, ok
}

// stored returns a number as a tensor stores it, quantised and saturated like the runtimes' activation ranges.
func stored(t *tflite.Tensor, real float64) (data []byte, ok bool) {
	q := quantisationOf(t)
	switch t.Type {
	case schema.TensorTypeFLOAT32:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(real))), true
	case schema.TensorTypeINT32:
		return binary.LittleEndian.AppendUint32(nil, uint32(int32(real))), len(q.scales) == 0
	}
	scale, zero, ok := q.perTensor()
	if !ok || !(scale > 0) {
		return nil, false
	}
	n := float64(zero) + math.Round(float64(float32(real)/scale))
	switch t.Type {
	case schema.TensorTypeINT8:
		return []byte{byte(int8(min(max(n, math.MinInt8), math.MaxInt8)))}, true
	case schema.TensorTypeINT16:
		return binary.LittleEndian.AppendUint16(nil, uint16(int16(min(max(n, math.MinInt16), math.MaxInt16)))), true
	}
	return nil, false
}
