package remarks

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Sources of scratch besides a file and kernel libraries other than the reference kernels.
const (
	NoScratch = "none"
	Reference = "reference"
)

// IsLibrary reports whether scratch comes from a kernel library.
func IsLibrary(source string) bool { return rules.IsKernelLibrary(source) }

// KernelsOf names the kernels of a library in a sentence.
func KernelsOf(library string) string {
	if library == Reference {
		return "the reference kernels"
	}
	return "the " + library + " kernels"
}

// titleOf names the release of a library, as the end of a sentence.
func titleOf(library string) string {
	device, err := rules.UsualDevice(library)
	if err != nil {
		return ""
	}
	return ": " + device.KernelsTitle
}

// counted returns the number of scratch requests in words.
func counted(requests int) string {
	if requests == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", requests)
}

// ScratchCounted names the scratch counted in a head, as the end of a sentence.
func ScratchCounted(source string, requests int) string {
	switch {
	case source == NoScratch:
		return "; kernel scratch is not counted"
	case IsLibrary(source):
		return fmt.Sprintf(", with the scratch of %s (%s)", KernelsOf(source), counted(requests))
	}
	return fmt.Sprintf(", with the scratch of %s (%s)", source, counted(requests))
}

// ScratchNote names the counted scratch.
func ScratchNote(source string, requests int) string {
	switch {
	case source == NoScratch:
		return "kernel scratch is not counted, which is right only for kernels that ask for none; --scratch FILE counts it"
	case source == Reference:
		return fmt.Sprintf("kernel scratch is counted as the reference kernels ask for it (%s); "+
			"for CMSIS-NN and ESP-NN, name the library with --kernels; for others, name a file with --scratch", counted(requests))
	case IsLibrary(source):
		return fmt.Sprintf("kernel scratch is counted as %s ask for it (%s)%s", KernelsOf(source), counted(requests), titleOf(source))
	default:
		return fmt.Sprintf("kernel scratch is counted as %s says (%s)", source, counted(requests))
	}
}

// FitScratchNote is [ScratchNote] for fit, which makes operators that no file lists.
func FitScratchNote(source string, requests int) string {
	switch source {
	case NoScratch:
		return "kernel scratch is not counted, which is right only for kernels that ask for none; --scratch reference counts that of the reference kernels"
	case Reference:
		return fmt.Sprintf("kernel scratch is counted as the reference kernels ask for it (%s); CMSIS-NN and ESP-NN ask for other scratch: name the library with --kernels", counted(requests))
	default:
		if IsLibrary(source) {
			return fmt.Sprintf("kernel scratch is counted as %s ask for it (%s)%s", KernelsOf(source), counted(requests), titleOf(source))
		}
		return fmt.Sprintf("kernel scratch is counted as %s says (%s); a piece of an operator is counted like the whole", source, counted(requests))
	}
}
