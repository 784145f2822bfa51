package op

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// maxInts is how many numbers a constant may have that says how an operator computes. More
// occur in no file, and would make large work of a small one.
const maxInts = 1 << 10

// Ints returns the numbers of a constant of INT8, INT16, INT32 or INT64, in the order of the
// file: false where the tensor is nil, no such constant, or has over 1024 numbers. A tensor without
// elements has none, constant or not.
func Ints(m *tflite.Model, t *tflite.Tensor) ([]int64, bool) {
	if t != nil && slices.Contains(t.Shape, 0) && widths[t.Type] > 0 {
		return nil, true
	}
	if t == nil || !t.Constant || t.Variable || t.Sparse {
		return nil, false
	}
	width := widths[t.Type]
	data := m.Buffer(t).Data
	n, ok := t.Elements()
	if width == 0 || !ok || n > maxInts || n*width > int64(len(data)) {
		return nil, false
	}
	list := make([]int64, n)
	for i := range list {
		list[i] = integer(data[int64(i)*width:][:width])
	}
	return list, true
}

// widths are the bytes of the types of integers.
var widths = map[schema.TensorType]int64{
	schema.TensorTypeINT8: 1, schema.TensorTypeINT16: 2, schema.TensorTypeINT32: 4, schema.TensorTypeINT64: 8,
}

// integer returns the number that bytes are, the lowest first.
func integer(data []byte) int64 {
	switch len(data) {
	case 1:
		return int64(int8(data[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(data)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(data)))
	}
	return int64(binary.LittleEndian.Uint64(data))
}
