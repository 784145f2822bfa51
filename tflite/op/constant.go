package op

import (
	"encoding/binary"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// maxInts is how many numbers a constant may have that says how an operator computes. More
// occur in no file, and would make large work of a small one.
const maxInts = 1 << 10

// Ints returns the numbers of a constant of INT32 or INT64, in the order of the file: false
// where the tensor is nil, no such constant, or has over 1024 numbers.
func Ints(m *tflite.Model, t *tflite.Tensor) ([]int64, bool) {
	if t == nil || !t.Constant || t.Variable || t.Sparse {
		return nil, false
	}
	width := map[schema.TensorType]int64{schema.TensorTypeINT32: 4, schema.TensorTypeINT64: 8}[t.Type]
	data := m.Buffer(t).Data
	n, ok := t.Elements()
	if width == 0 || !ok || n > maxInts || n*width > int64(len(data)) {
		return nil, false
	}
	list := make([]int64, n)
	for i := range list {
		at := data[int64(i)*width:]
		if width == 8 {
			list[i] = int64(binary.LittleEndian.Uint64(at))
		} else {
			list[i] = int64(int32(binary.LittleEndian.Uint32(at)))
		}
	}
	return list, true
}
