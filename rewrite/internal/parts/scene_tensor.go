package parts

import (
	"encoding/binary"

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
	if shape := s.shape(op.Inputs[0]); len(shape) == 4 {
		row := s.bits(op.Inputs[0]) / 8 * int64(shape[2]) * int64(shape[3])
		from := s.constant(op.Inputs[1])
		read.Lo, read.Hi = from*row, min((from+int64(s.shape(op.Outputs[0])[1]))*row, size)
	}
	return read
}

// constant returns the second number, for the rows, of an added constant of four.
func (s *scene) constant(t int) int64 {
	return int64(binary.LittleEndian.Uint32(s.fragment.Tensors[t-s.base].Data[4:]))
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
