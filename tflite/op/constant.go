package op

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// maxInts is the largest number of values read from a constant that parametrises an operator.
// No real file has more, and more would make large work of a small file.
const maxInts = 1 << 10

// Ints returns the values of an INT8, INT16, INT32 or INT64 constant, in file order. It returns
// false if the tensor is nil, is no such constant, or has over 1024 values. A tensor without
// elements has no values, constant or not.
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

// widths holds the sizes of the integer types, in bytes.
var widths = map[schema.TensorType]int64{
	schema.TensorTypeINT8: 1, schema.TensorTypeINT16: 2, schema.TensorTypeINT32: 4, schema.TensorTypeINT64: 8,
}

// integer decodes a little-endian integer.
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
