package rules

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A sizing returns the bits of one element of a type, zero where the runtime gives
// the type no static size.
type sizing func(schema.TensorType) int64

// microSizes is TensorFlow Lite Micro's table: INT4 is unpacked, a resource is a
// handle of four bytes, and several types have no size at all. (TfLiteTypeSizeOf
// as linked into TensorFlow Lite Micro.)
func microSizes(t schema.TensorType) int64 {
	switch t {
	case schema.TensorTypeINT4:
		return 8
	case schema.TensorTypeRESOURCE:
		return 32
	case schema.TensorTypeINT2, schema.TensorTypeUINT4,
		schema.TensorTypeFLOAT8_E4M3FN, schema.TensorTypeFLOAT8_E5M2:
		return 0
	}
	return packedSizes(t)
}

// packedSizes is the format's own: sub-byte types are packed; strings, resources
// and variants live on the heap.
func packedSizes(t schema.TensorType) int64 { return int64(tflite.ElementBits(t)) }

// maxSize is the largest tensor that is planned, in bytes and in elements. It is far
// above what any runtime can hold, and keeps sums of sizes inside an int64.
const maxSize = int64(1) << 40

// size returns the bytes the rule set reserves for a tensor, or why it can give
// none.
func (r Rules) size(t *tflite.Tensor) (int64, Reason) {
	bits := r.sizes(t.Type)
	if bits == 0 {
		return 0, NoStaticSize
	}
	if r.AsFloat32 {
		bits = 32
	}
	elements := int64(1)
	for i, d := range t.Shape {
		n := int64(d)
		if n < 0 {
			return 0, UnknownDimensions
		}
		if i == len(t.Shape)-1 && r.PadChannels > 1 {
			n = roundUp(n, int64(r.PadChannels))
		}
		if n > 0 && elements > maxSize/n {
			return 0, TooLarge
		}
		elements *= n
	}
	bytes := (elements*bits + 7) / 8
	switch {
	case bytes == 0:
		return 0, ZeroSize
	case bytes > maxSize:
		return 0, TooLarge
	}
	return roundUp(bytes, max(r.RoundSizes, 1)), ""
}

func roundUp(n, multiple int64) int64 { return (n + multiple - 1) / multiple * multiple }
