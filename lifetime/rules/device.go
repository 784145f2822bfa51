package rules

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Device is everything that the arena depends on besides the model: the ABI, the kernel
// library with its release, the scratch that kernels request, and the memory that the
// application reserves. [DefaultDevice] and [UsualDevice] return complete devices.
type Device struct {
	// ABI is the ABI of the runtime's build; see [Device.WithABI].
	ABI ABI
	// Kernels is the name of the kernel library with its release, and KernelsTitle its
	// description; see [Device.WithKernels].
	Kernels, KernelsTitle string
	// ResourceVariables is the number of resource variables that the application reserves
	// before the interpreter starts. A negative number means one per name in the model.
	ResourceVariables int
	// DecompressionMemory is the memory that the application reserves for the outputs of
	// TFLM_DECODE, with MicroInterpreter::SetDecompressionMemory, in bytes of one region at a
	// multiple of 16; 0 for none.
	DecompressionMemory int64

	library *kernels.Library
	// scratch is nil if the modelled kernels determine the requests; source is then unused.
	scratch func(*tflite.Model) []Request
	source  string
}

// build is what determines the sizes of the kernels' requests.
func (d *Device) build() kernels.Build { return kernels.Build{Library: d.library, ABI: d.ABI.layout} }

// Rules returns the rules of TensorFlow Lite Micro on the device.
func (d Device) Rules() Rules { return Micro().On(d) }

// On returns the rules with the kernels of a device.
func (r Rules) On(d Device) Rules {
	r.library, r.decompression = d.library, d.DecompressionMemory
	return r
}

// OnLibrary returns the rules with a kernel library by its name: any that a marker may give. "" is
// the reference kernels; for an unknown library only copies permit in-place outputs.
func (r Rules) OnLibrary(name string) Rules {
	r.library = libraryOf(name)
	return r
}

// KernelLibrary returns the name of the kernel library with its release.
func (r Rules) KernelLibrary() string { return r.kernels().Name() }

func (r Rules) kernels() *kernels.Library { return cmp.Or(r.library, kernels.Reference) }

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

// OfMarker returns the kernel library that the marker of a plan names, with its release. Early
// markers name none, and mean the release of their time. It returns an unknown name unchanged.
func OfMarker(library string) string {
	l, err := kernels.Lookup(library)
	switch {
	case err != nil:
		return library
	case library == l.Base() && l.Unmarked != "":
		return l.Base() + "@" + l.Unmarked
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

// KernelFamily returns the family of a kernel library, as [Device.Library] names it, "" for an unknown one.
func KernelFamily(library string) string {
	l, err := kernels.Lookup(library)
	if err != nil {
		return ""
	}
	return l.Family
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

// ErrNoBuild reports that a kernel library does not support an ABI.
var ErrNoBuild = errors.New("the kernels are for devices with 32-bit pointers")

// DefaultDevice returns the device that is used if none is named.
func DefaultDevice() Device {
	return Device{ABI: abis[0], ResourceVariables: -1}.with(kernels.Reference)
}

// OrDefault returns the device, or [DefaultDevice] for the zero value.
func (d Device) OrDefault() Device {
	if d.library == nil {
		return DefaultDevice()
	}
	return d
}

// UsualDevice is [Device.WithUsualKernels] for the default device.
func UsualDevice(library string) (Device, error) { return DefaultDevice().WithUsualKernels(library) }

// WithABI returns the device with another ABI, by its name. Its error lists the known names, or
// is [ErrNoBuild].
func (d Device) WithABI(name string) (Device, error) {
	for _, d.ABI = range abis {
		if d.ABI.Name == name {
			return d, d.built()
		}
	}
	return Device{}, fmt.Errorf("unknown ABI %q (known: %s)", name, strings.Join(ABIs(), ", "))
}

// WithKernels returns the device with another kernel library, by its name: alone, for the
// newest modelled release, or with a release, such as "esp-nn-s3@1.2.1". Its error lists the
// known names, or is [ErrNoBuild] or an [*UnknownRelease].
func (d Device) WithKernels(name string) (Device, error) {
	l, err := kernels.Lookup(name)
	if err != nil {
		return Device{}, err
	}
	d = d.with(l)
	return d, d.built()
}

// WithUsualKernels is [Device.WithKernels] with the ABI for which the library is usually built.
func (d Device) WithUsualKernels(name string) (Device, error) {
	l, err := kernels.Lookup(name)
	if err != nil {
		return Device{}, err
	}
	return d.usual(l), nil
}

// UnmodelledDevice is [UsualDevice] that also accepts a release with unknown sizes. The memory that
// its kernels keep is counted as for the newest modelled release; their scratch must come from another
// source, and only copies permit in-place outputs.
func UnmodelledDevice(library string) (Device, error) {
	l, err := anyRelease(library)
	if err != nil {
		return Device{}, err
	}
	return DefaultDevice().usual(l), nil
}

// usual returns the device with a library, and the ABI for which it is usually built.
func (d Device) usual(l *kernels.Library) Device {
	d.ABI = abis[slices.IndexFunc(abis, func(a ABI) bool { return a.layout == l.Usual })]
	return d.with(l)
}

// with returns the device with a library.
func (d Device) with(l *kernels.Library) Device {
	d.Kernels, d.KernelsTitle, d.library = l.Name(), l.Title, l
	return d
}

// built reports a library that does not support the ABI.
func (d *Device) built() error {
	if d.library.Narrow && d.ABI.layout == kernels.Host64 {
		return ErrNoBuild
	}
	return nil
}

// Library returns the family of the kernel library ("reference", "cmsis-nn" or "esp-nn"), its
// build, such as "s3" or "mve-size", and the modelled release or commit. The latter two are ""
// for the reference kernels.
func (d Device) Library() (family, variant, version string) {
	return d.library.Family, d.library.Variant, d.library.Version
}

// IsReference reports whether the kernels are the reference kernels.
func (d Device) IsReference() bool { return d.library == kernels.Reference }
