package rules

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A sizing returns the bits of one element of a type, zero if the type has no static size in
// the runtime.
type sizing func(schema.TensorType) int64

// packedSizes is the format's own sizing: sub-byte types are packed; strings, resources and
// variants are on the heap.
func packedSizes(t schema.TensorType) int64 { return int64(tflite.ElementBits(t)) }

// maxSize is the largest planned tensor, in bytes and in elements. It is far above the limits
// of any runtime, and keeps sums of sizes inside an int64.
const maxSize = int64(1) << 40

// size returns the bytes that the rule set reserves for a tensor, or the reason why it has no
// size.
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
			n = integer.RoundUp(n, int64(r.PadChannels))
		}
		switch {
		case n == 0 || elements <= maxSize/n:
		case r.Wrap:
			n, elements = 1, 1 // counted below
		default:
			return 0, TooLarge
		}
		elements *= n
	}
	if r.Wrap {
		if elements = wrapped(t.Shape); elements < 0 {
			return 0, TooLarge
		}
	}
	bytes := (elements*bits + 7) / 8
	switch {
	case bytes == 0 && r.wraps(t):
		return 0, TooLarge
	case bytes == 0:
		return 0, ZeroSize
	case bytes > maxSize:
		return 0, TooLarge
	}
	return integer.RoundUp(bytes, max(r.RoundSizes, 1)), ""
}

// wrapped returns the number of elements as counted by the runtime, in 32 bits: it is wrong
// above the largest int32.
func wrapped(shape []int32) int64 {
	n := uint32(1)
	for _, d := range shape {
		n *= uint32(d)
	}
	return int64(int32(n))
}

// wraps reports whether a runtime with 32-bit counts miscounts the elements of t.
func (r Rules) wraps(t *tflite.Tensor) bool {
	n, ok := t.Elements()
	return r.Wrap && !t.Dynamic() && (!ok || n > maxDimension)
}
