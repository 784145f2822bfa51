package notes

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Reference is the name of the reference kernels, and the default source of scratch.
const Reference = "reference"

// IsLibrary reports whether scratch comes from a kernel library.
func IsLibrary(source string) bool { return rules.IsKernelLibrary(source) }

// KernelsOf names the kernels of a library in a sentence.
func KernelsOf(library string) string {
	if library == Reference {
		return "the reference kernels"
	}
	return "the " + library + " kernels"
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
	case source == rules.NoScratch:
		return "; kernel scratch is not counted"
	case IsLibrary(source):
		return fmt.Sprintf(", with the scratch of %s (%s)", KernelsOf(source), counted(requests))
	}
	return fmt.Sprintf(", with the scratch of %s (%s)", source, counted(requests))
}

// ScratchNote names the scratch counted on a device.
func ScratchNote(d rules.Device, m *tflite.Model) results.Note {
	source, requests, text := d.ScratchSource(), counted(len(d.Requests(m))), ""
	switch {
	case source == rules.NoScratch:
		text = "kernel scratch is not counted, which is right only for kernels that ask for none"
	case source == Reference, IsLibrary(source):
		text = fmt.Sprintf("kernel scratch is that of %s (%s)", KernelsOf(source), requests)
	default:
		text = fmt.Sprintf("kernel scratch is counted as %s says (%s)", source, requests)
	}
	return results.Note{Kind: results.NoteScratch, Text: text}
}
