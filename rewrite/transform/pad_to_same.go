package transform

import (
	"encoding/binary"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// padToSame merges PAD into the padding of the convolution or MAX_POOL_2D after it.
var padToSame = Rule{
	Name: "pad-to-same", Purpose: Work,
	Operators: []schema.BuiltinOperator{schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorMAX_POOL_2D},
	Condition: "padding VALID, and its input is padded as SAME would, with zeros, or for MAX_POOL_2D with the lowest number, by a PAD or PADV2 for it alone",
	Result:    "the same operator with padding SAME; the PAD is removed",
	Reason:    "products with padding are zero, and no padding exceeds an element; the kernels skip both",
	Exact:     everywhere,
	match: func(s *site) *change {
		w, ok := op.WindowOf(s.m, s.sub, s.op)
		p, found := s.padBefore()
		if !ok || !found || w.Padding != schema.PaddingVALID || !p.neutral(s) || !p.same(w, s.out()) {
			return nil
		}
		c := s.change()
		c.gone = append(c.gone, p.op.Index)
		inputs := slices.Clone(s.op.Inputs)
		inputs[0] = p.in.Index
		c.again(inputs, s.op.Outputs[0], edit.Option{Field: windowPadding, Value: int64(schema.PaddingSAME)})
		return c
	},
}

// padding is a PAD or PADV2 of an image.
type padding struct {
	op      *tflite.Operator
	in, out *tflite.Tensor
	// value is the constant of PADV2, or nil.
	value *tflite.Tensor
	pads  [][2]int64
}

// padBefore returns the PAD whose output only the site reads, or false.
func (s *site) padBefore() (p padding, ok bool) {
	if p.out = s.in(0); !static(p.out, s.out()) || !s.hidden(p.out) || len(p.out.Consumers) != 1 || slices.Contains(s.op.Inputs[1:], p.out.Index) {
		return p, false
	}
	p.op = &s.sub.Operators[p.out.Producer]
	switch s.m.OperatorCodes[p.op.Code].Builtin {
	case schema.BuiltinOperatorPAD:
	case schema.BuiltinOperatorPADV2:
		if p.value = s.sub.Operand(p.op.Inputs, 2); p.value == nil || !p.value.Constant {
			return p, false
		}
	default:
		return p, false
	}
	p.in = s.sub.Operand(p.op.Inputs, 0)
	p.pads, ok = op.Paddings(s.m, s.sub, p.op)
	return p, ok && p.op.Index < s.op.Index && !p.op.Damaged && len(p.pads) == 4 && p.pads[0] == [2]int64{} && p.pads[3] == [2]int64{} && p.alike()
}

// alike reports whether the operator can read the input in place of the output.
func (p *padding) alike() bool {
	return static(p.in) && len(p.in.Shape) == 4 && len(p.out.Shape) == 4 && !p.in.Constant && !p.in.Variable && p.in.Type == p.out.Type && sameQuantisation(p.in, p.out)
}

// same reports whether padding SAME gives the same windows on the unpadded input: the same number, with the same
// padding before the first one.
func (p *padding) same(w op.Window, out *tflite.Tensor) bool {
	w.Padding = schema.PaddingSAME
	for axis, pad := range p.pads[1:3] {
		a, n, ok := w.Along(axis, int64(p.in.Shape[1+axis]))
		if !ok || pad[1] < 0 || a.Before != pad[0] || len(out.Shape) != 4 || n != int64(out.Shape[1+axis]) {
			return false
		}
	}
	return true
}

// neutral reports whether the padding changes no output of the site's operator.
func (p *padding) neutral(s *site) bool {
	value, ok := p.number(s)
	if !ok {
		return false
	}
	q := quantisationOf(p.out)
	_, zero, quantised := q.perTensor()
	lowest := map[schema.TensorType]float64{
		schema.TensorTypeFLOAT32: -math.MaxFloat32, schema.TensorTypeINT8: math.MinInt8, schema.TensorTypeINT16: math.MinInt16,
	}
	switch {
	case s.code == schema.BuiltinOperatorMAX_POOL_2D:
		return value <= lowest[p.out.Type]
	case p.out.Type == schema.TensorTypeFLOAT32:
		return value == 0 && s.finite(s.in(1))
	}
	return quantised && value == float64(zero)
}

// number returns the stored value of the padding.
func (p *padding) number(s *site) (value float64, ok bool) {
	q := quantisationOf(p.out)
	_, zero, quantised := q.perTensor()
	var data []byte
	if p.value != nil {
		if p.value.Type != p.out.Type || !sameQuantisation(p.value, p.out) || s.m.IsOutside(p.value) {
			return 0, false
		}
		data = s.m.Buffer(p.value).Data
	}
	switch t := p.out.Type; {
	case t == schema.TensorTypeFLOAT32 && p.value == nil:
		return 0, true
	case t == schema.TensorTypeFLOAT32 && len(data) >= 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data))), true
	case (t == schema.TensorTypeINT8 || t == schema.TensorTypeINT16) && p.value == nil:
		return float64(zero), quantised
	case t == schema.TensorTypeINT8 && len(data) >= 1:
		return float64(int8(data[0])), true
	case t == schema.TensorTypeINT16 && len(data) >= 2:
		return float64(int16(binary.LittleEndian.Uint16(data))), true
	}
	return 0, false
}

// finite reports whether a tensor is a constant of finite FLOAT32, with which a product of zero is zero.
func (s *site) finite(t *tflite.Tensor) bool {
	if t == nil || !s.stored(t) || t.Type != schema.TensorTypeFLOAT32 {
		return false
	}
	data := s.m.Buffer(t).Data
	for i := 0; i+4 <= len(data); i += 4 {
		const exponent = 0x7f80_0000
		if binary.LittleEndian.Uint32(data[i:])&exponent == exponent {
			return false
		}
	}
	return true
}
