// Package kernels says what the kernels of TensorFlow Lite Micro ask their runtime for
// while they are set up: persistent memory, temporary tensors and scratch, in the order in
// which they ask.
//
// Each kernel of the reference library is one row of the table in reference.go, or in
// reference_custom.go for custom operators. CMSIS-NN is in cmsis.go, ESP-NN in esp.go; their rows
// are those of kernels that differ.
package kernels

// An ABI is how a compiler lays out structs, as far as it matters here.
type ABI int

// The ABIs.
const (
	ESP    ABI = iota // 32-bit pointers, enums of 4 bytes
	ARM               // 32-bit pointers, enums as short as they can be
	Host64            // 64-bit pointers, enums of 4 bytes
	abis
)

func (a ABI) wide() bool { return a == Host64 }

// pick returns the size that a struct with pointers has.
func (a ABI) pick(narrow, wide int64) int64 {
	if a.wide() {
		return wide
	}
	return narrow
}

// A block is one allocation: its size and what its address is a multiple of, in bytes.
type block struct{ bytes, align int64 }
