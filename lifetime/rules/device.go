package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Device is everything that the arena depends on besides the model: the ABI, the kernel
// library with its release, the scratch that kernels request, and the memory that the
// application reserves. [LookupDevice], [UsualDevice] and [DefaultDevice] return complete
// devices.
type Device struct {
	// ABI is its name, as in the flag --abi.
	ABI string
	// Title describes the builds with this ABI.
	Title string
	// Pointer is the size of a pointer in bytes.
	Pointer int64
	// ResourceVariables is the number of resource variables that the application reserves
	// before the interpreter starts. A negative number means one per name in the model.
	ResourceVariables int
	// DecompressionMemory is the memory that the application reserves for the outputs of
	// TFLM_DECODE, with MicroInterpreter::SetDecompressionMemory, in bytes of one region at a
	// multiple of 16; 0 for none.
	DecompressionMemory int64
	// Kernels is the name of the kernel library with its release, and KernelsTitle its
	// description; see [Device.WithKernels].
	Kernels, KernelsTitle string

	build kernels.Build
	// scratch is nil if the modelled kernels determine the requests; source is then unused.
	scratch func(*tflite.Model) []Request
	source  string
}

// Rules returns the rules of TensorFlow Lite Micro on the device.
func (d Device) Rules() Rules { return Micro().On(d) }

// On returns the rules with the kernels of a device.
func (r Rules) On(d Device) Rules {
	r.Kernels, r.DecompressionMemory = d.Kernels, d.DecompressionMemory
	return r
}

// NoScratch is the source of uncounted scratch.
const NoScratch = "none"

// WithScratch returns the device with scratch requests from another source than the modelled
// kernels. source names it, and requests returns the requests of a model, in the order in which
// its kernels make them.
func (d Device) WithScratch(source string, requests func(*tflite.Model) []Request) Device {
	d.source, d.scratch = source, requests
	return d
}

// WithoutScratch returns the device with kernels that request no scratch.
func (d Device) WithoutScratch() Device {
	return d.WithScratch(NoScratch, func(*tflite.Model) []Request { return nil })
}

// WithKernelScratch returns the device with the scratch requests of its kernels.
func (d Device) WithKernelScratch() Device { return d.WithScratch("", nil) }

// ScratchSource names the source of the scratch requests: the kernel library, unless
// [Device.WithScratch] set another one.
func (d Device) ScratchSource() string {
	if d.CountsKernels() {
		return d.Kernels
	}
	return d.source
}

// CountsKernels reports whether the scratch requests are computed for the device's kernel
// library.
func (d Device) CountsKernels() bool { return d.scratch == nil }

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

func referenceBuild(abi kernels.ABI) kernels.Build {
	return kernels.Build{Library: kernels.Reference, ABI: abi}
}

// devices are the ABIs, the default first. The default is the larger of the two 32-bit ABIs, so
// it is safe for an unknown device.
var devices = []Device{
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

// structs returns the structs of the device's ABI.
func (d *Device) structs() *structs {
	s := layouts[d.build.ABI]
	return &s
}

// ABIs returns the names of the devices, the default first.
func ABIs() []string {
	var names []string
	for _, t := range devices {
		names = append(names, t.ABI)
	}
	return names
}

// DefaultDevice returns the device that is used if none is named.
func DefaultDevice() Device { return devices[0] }

// LookupDevice returns the device with a name. Its error lists the known names.
func LookupDevice(abi string) (Device, error) {
	for _, t := range devices {
		if t.ABI == abi {
			return t, nil
		}
	}
	return Device{}, fmt.Errorf("unknown ABI %q (known: %s)", abi, strings.Join(ABIs(), ", "))
}

// An UnknownRelease is the error for a release of a known kernel library with unknown sizes.
type UnknownRelease = kernels.UnknownRelease

// WithRelease returns the name of a kernel library with its release, the newest modelled
// release if the name has none. It returns an unknown name unchanged.
func WithRelease(library string) string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return library
	}
	return l.Name()
}

// IsKernelLibrary reports whether name is a kernel library, alone or with a release with known
// sizes.
func IsKernelLibrary(name string) bool {
	_, err := kernels.Lookup(name)
	return err == nil
}

// KernelSummary describes a kernel library, "" for an unknown one.
func KernelSummary(library string) string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return ""
	}
	return l.Summary
}

// KernelReleases returns the releases of a kernel library with known sizes, newest first: none
// for the reference kernels and for an unknown library.
func KernelReleases(library string) []string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return nil
	}
	return l.Releases()
}

// KernelLibraries returns the names of the known kernel libraries, without their releases.
func KernelLibraries() []string {
	var names []string
	for _, l := range kernels.Libraries {
		names = append(names, l.Base())
	}
	return names
}

// ErrNoBuild reports that a kernel library does not support the requested device.
var ErrNoBuild = errors.New("the kernels are for devices with 32-bit pointers")

// WithKernels returns the device with another kernel library, by its name: alone, for the
// newest modelled release, or with a release, such as "esp-nn-s3@1.2.1". Its error lists the
// known names, or is [ErrNoBuild] or an [*UnknownRelease].
func (d Device) WithKernels(name string) (Device, error) {
	l, err := kernels.Lookup(name)
	switch {
	case err != nil:
		return Device{}, err
	case d.build.ABI == kernels.Host64 && l.Narrow:
		return Device{}, ErrNoBuild
	}
	d.Kernels, d.KernelsTitle, d.build.Library = l.Name(), l.Title, l
	return d, nil
}

// WithUsualKernels is [Device.WithKernels] on the usual ABI of the library.
func (d Device) WithUsualKernels(name string) (Device, error) {
	usual, err := UsualDevice(name)
	d.ABI, d.Title, d.Pointer, d.Kernels, d.KernelsTitle, d.build = usual.ABI, usual.Title, usual.Pointer, usual.Kernels, usual.KernelsTitle, usual.build
	return d, err
}

// Library returns the family of the kernel library ("reference", "cmsis-nn" or "esp-nn"), its
// build, such as "s3" or "mve-size", and the modelled release or commit. The latter two are ""
// for the reference kernels.
func (d Device) Library() (family, variant, version string) {
	l := d.build.Library
	return l.Family, l.Variant, l.Version
}

// Unmodelled returns the device with another release of its kernel library, with unknown sizes.
// The memory that its kernels keep is counted as for the release that it replaces; their
// scratch must come from another source, and only copies permit in-place outputs.
func (d Device) Unmodelled(release string) Device {
	l := *d.build.Library
	l.Version, l.Older = release, nil
	l.Title = l.Summary + ", release " + release + ", which is not modelled"
	d.Kernels, d.KernelsTitle, d.build.Library = l.Name(), l.Title, &l
	return d
}

// IsReference reports whether the kernels are the reference kernels.
func (d Device) IsReference() bool { return d.Kernels == kernels.Reference.Name() }

// UsualDevice returns the device for which a kernel library is usually built. Its error lists
// the known names.
func UsualDevice(library string) (Device, error) {
	l, err := kernels.Lookup(library)
	if err != nil {
		return Device{}, err
	}
	for _, t := range devices {
		if t.build.ABI == l.Usual {
			return t.WithKernels(library)
		}
	}
	return Device{}, ErrNoBuild
}
