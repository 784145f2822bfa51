// Package kernels models the requests of TensorFlow Lite Micro's kernels in Init and Prepare:
// persistent memory, temporary tensors and scratch, in the order in which they are made.
//
// Each kernel of the reference library is one row of the table in reference.go, or in
// reference_custom.go for custom operators. CMSIS-NN is in cmsis.go, ESP-NN in esp.go; they
// have rows only for kernels that differ.
package kernels

// An ABI is a compiler's layout of structs, as far as the arena depends on it.
type ABI int

// The ABIs.
const (
	ESP    ABI = iota // 32-bit pointers, enums of 4 bytes
	ARM               // 32-bit pointers, short enums
	Host64            // 64-bit pointers, enums of 4 bytes
	abis
)

func (a ABI) wide() bool { return a == Host64 }

// pick returns the size of a struct by pointer width.
func (a ABI) pick(narrow, wide int64) int64 {
	if a.wide() {
		return wide
	}
	return narrow
}

// A block is one allocation: its size and its alignment, in bytes.
type block struct{ bytes, align int64 }
