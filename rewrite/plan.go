package rewrite

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// PlanName is the name of the metadata entry that holds a memory plan. The runtime compares it
// byte by byte, case-sensitively.
const PlanName = patch.PlanName

// Online is the offset of a tensor placed by the runtime itself. The runtime accepts no other
// negative number.
const Online = -1

// Alignment is the required alignment of a plan's offsets, in bytes. The runtime aligns sizes
// to it but never checks the alignment of an offset.
const Alignment = patch.Alignment

// A plan is a header of three words, then one offset per tensor, all little-endian int32. The
// runtime reads only the third word of the header.
const (
	planVersion = 1
	headerWords = 3
	wordBytes   = 4
	headerBytes = headerWords * wordBytes
)

// encodePlan returns the plan's bytes.
func encodePlan(subgraphs int, offsets []int32) []byte {
	out := make([]byte, 0, planBytes(len(offsets)))
	for _, word := range []int32{planVersion, int32(subgraphs), int32(len(offsets))} {
		out = binary.LittleEndian.AppendUint32(out, uint32(word))
	}
	for _, offset := range offsets {
		out = binary.LittleEndian.AppendUint32(out, uint32(offset))
	}
	return out
}

func planBytes(tensors int) int { return headerBytes + wordBytes*tensors }

// countTensors returns the number of tensors in all subgraphs, which is the count in a plan.
func countTensors(m *tflite.Model) int {
	n := 0
	for i := range m.Subgraphs {
		n += len(m.Subgraphs[i].Tensors)
	}
	return n
}

// checkOffsets rejects offsets with which the runtime would misplace tensors.
func checkOffsets(m *tflite.Model, offsets []int32) error {
	n := countTensors(m)
	if n > math.MaxInt32-headerWords {
		return fmt.Errorf("the model has %d tensors, more than a plan can count", n)
	}
	if len(offsets) != n {
		return fmt.Errorf("the plan has %d offsets, but the model has %d tensors", len(offsets), n)
	}
	for i, offset := range offsets {
		if offset < Online {
			return fmt.Errorf("the offset of tensor %d is %d, which is below -1", i, offset)
		}
		if offset != Online && offset%Alignment != 0 {
			return fmt.Errorf("the offset of tensor %d is %d, which is not a multiple of %d", i, offset, Alignment)
		}
	}
	return nil
}
