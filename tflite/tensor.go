package tflite

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/schema"
)

// TensorID returns the name of a tensor in plans: "SUBGRAPH:TENSOR", by index.
//
//go:noinline
func (m *Model) TensorID(subgraph, tensor int) string {
	return fmt.Sprintf("%d:%d", subgraph, tensor)
}

// Buffer returns the buffer of a tensor, an empty one in a model without buffers.
func (m *Model) Buffer(t *Tensor) Buffer {
	if t.Buffer >= len(m.Buffers) {
		return Buffer{}
	}
	return m.Buffers[t.Buffer]
}

// elementBits holds the stored bits per element (LiteRT's verifier). Missing types have no
// static size.
var elementBits = [...]int{
	schema.TensorTypeFLOAT32:       32,
	schema.TensorTypeFLOAT16:       16,
	schema.TensorTypeINT32:         32,
	schema.TensorTypeUINT8:         8,
	schema.TensorTypeINT64:         64,
	schema.TensorTypeBOOL:          8,
	schema.TensorTypeINT16:         16,
	schema.TensorTypeCOMPLEX64:     64,
	schema.TensorTypeINT8:          8,
	schema.TensorTypeFLOAT64:       64,
	schema.TensorTypeCOMPLEX128:    128,
	schema.TensorTypeUINT64:        64,
	schema.TensorTypeUINT32:        32,
	schema.TensorTypeUINT16:        16,
	schema.TensorTypeINT4:          4,
	schema.TensorTypeBFLOAT16:      16,
	schema.TensorTypeINT2:          2,
	schema.TensorTypeUINT4:         4,
	schema.TensorTypeFLOAT8_E4M3FN: 8,
	schema.TensorTypeFLOAT8_E5M2:   8,
}

// ElementBits returns the bits of one stored element: 4 for INT4 and UINT4, 2 for INT2. It is 0
// for types without a static size (STRING, RESOURCE and VARIANT) and for types newer than the
// schema.
func ElementBits(t schema.TensorType) int {
	if t < 0 || int(t) >= len(elementBits) {
		return 0
	}
	return elementBits[t]
}

// Operand returns the tensor at a position in a list of tensor indexes, such as the inputs of
// an operator. It returns nil if the list is shorter or omits that operand (-1).
//
//go:noinline
func (s *Subgraph) Operand(list []int, place int) *Tensor {
	if place >= len(list) || list[place] < 0 {
		return nil
	}
	return &s.Tensors[list[place]]
}

// Elements returns the product of the dimensions, 1 for an empty shape. It returns false if a
// dimension is unknown (negative) or the product exceeds an int64.
func (t *Tensor) Elements() (n int64, ok bool) {
	n, overflow := 1, false
	for _, dim := range t.Shape {
		if dim < 0 {
			return 0, false
		}
		if dim > 0 && n > math.MaxInt64/int64(dim) {
			overflow = true
			continue
		}
		n *= int64(dim)
	}
	// A tensor without elements does not overflow, whatever its other dimensions.
	return n, !overflow || n == 0
}

// PackedBytes returns the bytes of the tensor in a file, where elements smaller than a byte are
// packed. It returns false if the tensor has no static size (see [ElementBits] and
// [Tensor.Elements]) or the size exceeds an int64.
func (t *Tensor) PackedBytes() (n int64, ok bool) {
	bits := int64(ElementBits(t.Type))
	n, ok = t.Elements()
	switch {
	case bits == 0 || !ok:
		return 0, false
	case bits >= 8:
		size := bits / 8
		return n * size, n <= math.MaxInt64/size
	}
	perByte := 8 / bits
	return n/perByte + (n%perByte+perByte-1)/perByte, true
}

// Table returns the tensor's table in the file, for fields that [Tensor] lacks, such as the
// quantisation.
func (t *Tensor) Table() schema.Tensor { return t.table }

// Dynamic reports whether a dimension of the shape or of the signature is unknown.
func (t *Tensor) Dynamic() bool { return unknown(t.Shape) || unknown(t.Signature) }
