package units

import "strconv"

// integer is a count of bytes, nodes or tensors.
type integer interface {
	~int | ~int32 | ~int64 | ~uint32 | ~uint64
}

// Number returns n such as "36,864".
func Number[T integer](n T) string {
	text := strconv.FormatInt(int64(n), 10)
	if n > 0 && int64(n) < 0 { // above the range of int64
		text = strconv.FormatUint(uint64(n), 10)
	}
	first := 0
	if n < 0 {
		first = 1 // after the sign
	}
	for at := len(text) - 3; at > first; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// ExactBytes returns n bytes such as "36,864 B".
//
//go:noinline
func ExactBytes[T integer](n T) string { return Number(n) + " B" }
