package parts

import (
	"encoding/binary"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// bytes returns the size of a tensor in the head, 0 if it is not planned.
func (s *scene) bytes(t int) int64 {
	if t < s.base {
		return s.row.size[t]
	}
	e := &s.fragment.Tensors[t-s.base]
	if e.Data != nil || e.Buffer > 0 {
		return 0
	}
	return RoundUp(s.packed(t))
}

// mostBits is the maximum counted size of a tensor, in bits: more than all planned tensors
// together, but small enough that sums do not overflow. Padding may create larger tensors from
// sizes in a file.
const mostBits = lifetime.MaxTotal / 1024

// packed returns the bytes of a tensor's elements.
func (s *scene) packed(t int) int64 {
	bits := s.bits(t)
	for _, d := range s.shape(t) {
		if d > 0 && bits > mostBits/int64(d) {
			bits = mostBits
			continue
		}
		bits *= int64(d)
	}
	return (bits + 7) / 8
}

// read returns the bytes of an input that an operator reads.
func (s *scene) read(op *edit.Operator, input, position int, size int64) lifetime.Read {
	read := lifetime.Read{Position: position, Hi: size}
	if op.Kind != edit.StridedSlice && op.Kind != edit.Slice || input != 0 { // a kept operator lists no inputs
		return read
	}
	shape := s.shape(op.Inputs[0])
	rows := rowsOf(shape)
	if rows < 0 {
		return read
	}
	row := s.bits(op.Inputs[0]) / 8
	for _, d := range shape[rows+1:] {
		row *= int64(d)
	}
	from := s.constant(op.Inputs[1], rows)
	read.Lo, read.Hi = from*row, min((from+int64(s.shape(op.Outputs[0])[rows]))*row, size)
	return read
}

// rowsOf returns the dimension of a tensor's rows: the height of an image, the first dimension above one
// of another tensor, -1 if there is none.
func rowsOf(shape []int32) int {
	if len(shape) == 4 && shape[0] == 1 {
		return 1
	}
	return slices.IndexFunc(shape, func(d int32) bool { return d > 1 })
}

// constant returns a number of an added constant.
func (s *scene) constant(t, index int) int64 {
	return int64(int32(binary.LittleEndian.Uint32(s.fragment.Tensors[t-s.base].Data[4*index:])))
}

func (s *scene) shape(t int) []int32 {
	if t >= s.base {
		return s.fragment.Tensors[t-s.base].Shape
	}
	return s.row.model.Subgraphs[0].Tensors[t].Shape
}

// bits returns the size of a tensor's element, in bits.
func (s *scene) bits(t int) int64 {
	if t >= s.base {
		e := &s.fragment.Tensors[t-s.base]
		if e.Like < 0 {
			return int64(tflite.ElementBits(e.Type))
		}
		t = e.Like
	}
	return int64(tflite.ElementBits(s.row.model.Subgraphs[0].Tensors[t].Type))
}
