package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
)

// A Target describes the build of TensorFlow Lite Micro, as far as the arena depends on it.
// [LookupTarget] and [DefaultTarget] return one.
type Target struct {
	// ABI is its name, which is the value of the flag --abi.
	ABI string
	// Title says which builds have this ABI.
	Title string
	// Pointer is the size of a pointer in bytes.
	Pointer int64
	// ResourceVariables is the number of resource variables that the application makes room
	// for before the interpreter starts. A negative number stands for one for each name in
	// the model.
	ResourceVariables int
	// DecompressionMemory is what the application sets aside for what TFLM_DECODE decodes, with
	// MicroInterpreter::SetDecompressionMemory, in bytes of one region at a multiple of 16; 0 for none.
	DecompressionMemory int64
	// Kernels is the name of the library that the kernels are of, with its release, and KernelsTitle
	// says for people what that is; see [Target.WithKernels].
	Kernels, KernelsTitle string

	build kernels.Build
}

// Rules returns how TensorFlow Lite Micro sees a model on the target.
func (t Target) Rules() Rules {
	r := Micro()
	r.Kernels, r.DecompressionMemory = t.Kernels, t.DecompressionMemory
	return r
}

// A block is one allocation: its size and what its address is a multiple of, in bytes.
type block struct{ bytes, align int64 }

// structs are the sizes and alignments of the runtime's own structs (tflite-micro
// 90b983c).
type structs struct {
	// objects are what lies at the very end of the arena, from the top down.
	objects []block
	// variables is what keeps account of resource variables; variable is the bytes of
	// each in an array behind it.
	variables block
	variable  int64
	// builtin is the allocator of parsed options.
	builtin block
	// subgraph, evalTensor and node are kept for each subgraph, tensor and operator.
	subgraph, evalTensor, node block
	// handle is kept for each scratch request, and lives in an array.
	handle block
	// tensor and affine are a TfLiteTensor and what points to its quantisation.
	tensor, affine block
	// dimsEnd and typeEnd are where the pointer to its dimensions and its type end in a TfLiteTensor.
	dimsEnd, typeEnd int64
	// request and info are temporary: for each scratch request, and for each tensor and
	// request while the memory is planned.
	request, info int64
}

// narrow are the structs of targets with 32-bit pointers; a TfLiteTensor is smaller
// where enums are as short as they can be.
func narrow(tensor, typeEnd int64) structs {
	return structs{
		objects:   []block{{36, 4}, {44, 4}, {36, 4}},
		variables: block{12, 16}, variable: 20,
		builtin: block{8, 4}, subgraph: block{8, 4}, evalTensor: block{12, 4}, node: block{32, 4},
		handle: block{4, 4}, tensor: block{tensor, 4}, affine: block{12, 4}, dimsEnd: 24, typeEnd: typeEnd,
		request: 12, info: 24,
	}
}

func referenceBuild(abi kernels.ABI) kernels.Build {
	return kernels.Build{Library: kernels.Reference, ABI: abi}
}

// targets are the ABIs, the default first. It is the larger of the two for 32 bits, so
// that it is right to take it where the target is not known.
var targets = []Target{
	{
		ABI: "esp", Title: "32-bit pointers, enums of 4 bytes (Xtensa, RISC-V)",
		Pointer: 4, ResourceVariables: -1, build: referenceBuild(kernels.ESP), Kernels: kernels.Reference.Name(), KernelsTitle: kernels.Reference.Title,
	},
	{
		ABI: "arm", Title: "32-bit pointers, enums as short as they can be (arm-none-eabi)",
		Pointer: 4, ResourceVariables: -1, build: referenceBuild(kernels.ARM), Kernels: kernels.Reference.Name(), KernelsTitle: kernels.Reference.Title,
	},
	{
		ABI: "host64", Title: "64-bit pointers, with the recording allocators of the Python package",
		Pointer: 8, ResourceVariables: -1, build: referenceBuild(kernels.Host64), Kernels: kernels.Reference.Name(), KernelsTitle: kernels.Reference.Title,
	},
}

// layouts are the structs of the ABIs.
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

// structs are those of the target's ABI.
func (t *Target) structs() *structs {
	s := layouts[t.build.ABI]
	return &s
}

// ABIs returns the names of the targets, the default first.
func ABIs() []string {
	var names []string
	for _, t := range targets {
		names = append(names, t.ABI)
	}
	return names
}

// DefaultTarget returns the target that applies where none is named.
func DefaultTarget() Target { return targets[0] }

// LookupTarget returns the target with a name. Its error lists the known names.
func LookupTarget(abi string) (Target, error) {
	for _, t := range targets {
		if t.ABI == abi {
			return t, nil
		}
	}
	return Target{}, fmt.Errorf("unknown ABI %q (known: %s)", abi, strings.Join(ABIs(), ", "))
}

// An UnknownRelease is the error about a release of a known kernel library whose sizes are not known.
type UnknownRelease = kernels.UnknownRelease

// WithRelease returns the name of a kernel library with its release: without one in the name, that of
// the newest release that is modelled. It returns a name that is not known as it is.
func WithRelease(library string) string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return library
	}
	return l.Name()
}

// IsKernelLibrary reports whether a name is that of a kernel library, alone or with a release whose
// sizes are known.
func IsKernelLibrary(name string) bool {
	_, err := kernels.Lookup(name)
	return err == nil
}

// KernelSummary says for people what a kernel library is, "" for one that is not known.
func KernelSummary(library string) string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return ""
	}
	return l.Summary
}

// KernelReleases returns the releases of a kernel library whose sizes are known, newest first: none
// for the reference kernels and for a library that is not known.
func KernelReleases(library string) []string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return nil
	}
	return l.Releases()
}

// KernelLibraries returns the names of the kernel libraries that are known, without their releases.
func KernelLibraries() []string {
	var names []string
	for _, l := range kernels.Libraries {
		names = append(names, l.Base())
	}
	return names
}

// ErrNoBuild says that a kernel library is for other targets than the one that it was asked for.
var ErrNoBuild = errors.New("the kernels are for targets with 32-bit pointers")

// WithKernels returns the target with the kernels of another library, by its name: alone, for the newest
// release that is modelled, or with a release, such as "esp-nn-s3@1.2.1". Its error lists the known
// names, or is [ErrNoBuild] or an [*UnknownRelease].
func (t Target) WithKernels(name string) (Target, error) {
	l, err := kernels.Lookup(name)
	switch {
	case err != nil:
		return Target{}, err
	case t.build.ABI == kernels.Host64 && l.Narrow:
		return Target{}, ErrNoBuild
	}
	t.Kernels, t.KernelsTitle, t.build.Library = l.Name(), l.Title, l
	return t, nil
}

// Library returns the family of the kernel library ("reference", "cmsis-nn" or "esp-nn"), the build
// of it, such as "s3" or "mve-size", and the release or commit whose kernels are modelled. The latter
// two are "" for the reference kernels.
func (t Target) Library() (family, variant, version string) {
	l := t.build.Library
	return l.Family, l.Variant, l.Version
}

// Unmodelled returns the target with another release of its kernel library, whose sizes are not known. What
// its kernels keep is counted as for the release that it replaces; their scratch has to come from elsewhere,
// and nothing but copies lets outputs take inputs' memory.
func (t Target) Unmodelled(release string) Target {
	l := *t.build.Library
	l.Version, l.Older = release, nil
	l.Title = l.Summary + ", release " + release + ", which is not modelled"
	t.Kernels, t.KernelsTitle, t.build.Library = l.Name(), l.Title, &l
	return t
}

// IsReference reports whether the kernels are the reference kernels.
func (t Target) IsReference() bool { return t.Kernels == kernels.Reference.Name() }

// UsualTarget returns the target that the kernels of a library are built for where none is named.
// Its error lists the known names.
func UsualTarget(library string) (Target, error) {
	l, err := kernels.Lookup(library)
	if err != nil {
		return Target{}, err
	}
	for _, t := range targets {
		if t.build.ABI == l.Usual {
			return t.WithKernels(library)
		}
	}
	return Target{}, ErrNoBuild
}
