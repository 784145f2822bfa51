package transform

import (
	"encoding/binary"
	"math"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// float32Constants stores FLOAT16 constants, which DEQUANTIZE makes FLOAT32 at run time, as FLOAT32.
var float32Constants = Rule{
	Name: "float32-constants", Purpose: Repairs, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorDEQUANTIZE},
	Condition: "a constant of FLOAT16", Result: "removed; its readers read a constant of FLOAT32",
	Reason: "FLOAT32 holds each number of FLOAT16", Exact: everywhere,
	match: func(s *site) *change {
		in, out := s.in(0), s.out()
		if !static(in, out) || in.Type != schema.TensorTypeFLOAT16 || out.Type != schema.TensorTypeFLOAT32 || !s.stored(in) ||
			!s.hidden(out) || elements(in.Shape) != elements(out.Shape) {
			return nil
		}
		half := s.m.Buffer(in).Data
		data := make([]byte, 0, 2*len(half))
		for i := 0; i < len(half); i += 2 {
			data = binary.LittleEndian.AppendUint32(data, widenedHalf(binary.LittleEndian.Uint16(half[i:])))
		}
		c := s.change()
		c.instead[out.Index] = c.tensor(edit.Tensor{Name: c.name(in), Like: out.Index, Shape: out.Shape, Data: data})
		return c
	},
}

// widenedHalf returns the bits of a FLOAT16 number as FLOAT32.
func widenedHalf(h uint16) uint32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch exponent {
	case 0: // zero and subnormal numbers, in units of 2^-24
		return sign | math.Float32bits(float32(fraction)*0x1p-24)
	case 31: // infinities and NaN
		return sign | 255<<23 | fraction<<13
	}
	return sign | (exponent+127-15)<<23 | fraction<<13
}
