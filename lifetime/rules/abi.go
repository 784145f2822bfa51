package rules

import "github.com/tflarena/tflarena/lifetime/rules/internal/kernels"

// An ABI is what the compiler of a runtime decides: the sizes of pointers and enums.
type ABI struct {
	// Name is the value of the flag --abi.
	Name string
	// Title describes the builds with this ABI.
	Title string
	// Pointer is the size of a pointer in bytes.
	Pointer int64

	layout kernels.ABI
}

// abis are the known ABIs, the default first. The default is the larger of the two 32-bit ABIs,
// so it is safe for an unknown device.
var abis = []ABI{
	{Name: "esp", Title: "32-bit pointers, enums of 4 bytes (Xtensa, RISC-V)", Pointer: 4, layout: kernels.ESP},
	{Name: "arm", Title: "32-bit pointers, enums as short as they can be (arm-none-eabi)", Pointer: 4, layout: kernels.ARM},
	{Name: "host64", Title: "64-bit pointers, recording allocators (the Python package)", Pointer: 8, layout: kernels.Host64},
}

// ABIs returns the names of the known ABIs, the default first.
func ABIs() []string {
	var names []string
	for _, a := range abis {
		names = append(names, a.Name)
	}
	return names
}

// A block is one allocation: its size and its alignment, in bytes.
type block struct{ bytes, align int64 }

// structs are the sizes and alignments of the runtime's own structs (tflite-micro
// 90b983c).
type structs struct {
	// objects are the allocations at the very end of the arena, from the top down.
	objects []block
	// variables is the manager of resource variables; variable is the size in bytes of each
	// element of an array after it.
	variables block
	variable  int64
	// builtin is the allocator of parsed options.
	builtin block
	// subgraph, evalTensor and node are kept per subgraph, tensor and operator.
	subgraph, evalTensor, node block
	// handle is kept per scratch request, as an array element.
	handle block
	// tensor and affine are a TfLiteTensor and the struct that points to its quantisation.
	tensor, affine block
	// dimsEnd and typeEnd are the end offsets of the pointer to the dimensions and of the type
	// in a TfLiteTensor.
	dimsEnd, typeEnd int64
	// request and info are temporary: per scratch request, and per tensor and request while the
	// memory is planned.
	request, info int64
}

// narrow returns the structs of devices with 32-bit pointers; a TfLiteTensor is smaller with
// short enums.
func narrow(tensor, typeEnd int64) structs {
	return structs{
		objects:   []block{{36, 4}, {44, 4}, {36, 4}},
		variables: block{12, 16}, variable: 20,
		builtin: block{8, 4}, subgraph: block{8, 4}, evalTensor: block{12, 4}, node: block{32, 4},
		handle: block{4, 4}, tensor: block{tensor, 4}, affine: block{12, 4}, dimsEnd: 24, typeEnd: typeEnd,
		request: 12, info: 24,
	}
}

// layouts holds the structs of the ABIs.
var layouts = map[kernels.ABI]structs{
	kernels.ESP: narrow(40, 32),
	kernels.ARM: narrow(32, 29),
	kernels.Host64: {
		objects:   []block{{104, 8}, {72, 8}, {272, 8}},
		variables: block{16, 16}, variable: 40,
		builtin: block{16, 8}, subgraph: block{24, 8}, evalTensor: block{24, 8}, node: block{64, 8},
		handle: block{8, 8}, tensor: block{64, 8}, affine: block{24, 8}, dimsEnd: 40, typeEnd: 52,
		request: 16, info: 32,
	},
}

// structs returns the structs of the ABI.
func (a *ABI) structs() *structs {
	s := layouts[a.layout]
	return &s
}
