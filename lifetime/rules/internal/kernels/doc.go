// Package kernels models the kernels of TensorFlow Lite Micro: what each of them requests, requires and
// permits, and what it does wrong.
//
// The reference kernels (tflite-micro 90b983c) have one row per operator: in operators.go, or in
// custom.go for custom operators. A row has the kernel's requests in Init and Prepare in their order,
// its requirements of the operands, and how its output may share memory with its inputs. Each other
// library is one file, cmsisnn.go and espnn.go: its builds and releases, a row for each kernel of its
// own, and the known faults of its builds. The known faults of the
// reference kernels are in known_reference.go and known_operands.go.
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
