package units

import "strconv"

// integer is what is written: a number of bytes, of nodes, of tensors.
type integer interface {
	~int | ~int32 | ~int64 | ~uint32 | ~uint64
}

// Number returns n such as "36,864".
func Number[T integer](n T) string {
	text := strconv.FormatInt(int64(n), 10)
	if n > 0 && int64(n) < 0 { // above what an int64 holds
		text = strconv.FormatUint(uint64(n), 10)
	}
	first := 0
	if n < 0 {
		first = 1 // behind the sign
	}
	for at := len(text) - 3; at > first; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// ExactBytes returns n bytes such as "36,864 B".
func ExactBytes[T integer](n T) string { return Number(n) + " B" }
