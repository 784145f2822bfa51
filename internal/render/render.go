// Package render writes a picture of package drawing as SVG, PNG or PDF, deterministically.
//
// SVG names no font but "sans-serif", so that a browser uses the reader's. PNG and PDF use the Go
// fonts: Latin, Greek and Cyrillic; a missing character is an empty square.
package render

import (
	"io"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
)

// writers has the writer of each format.
var writers = []struct {
	name  string
	write func(io.Writer, *drawing.Page) error
}{
	{"svg", SVG},
	{"png", PNG},
	{"pdf", PDF},
}

// Formats returns the names of the formats, SVG first.
func Formats() (names []string) {
	for _, f := range writers {
		names = append(names, f.name)
	}
	return names
}

// IsFormat reports whether a name is one of [Formats].
func IsFormat(name string) bool { return slices.Contains(Formats(), name) }

// Write writes a picture in the format called name, which is one of [Formats]. It returns the errors
// of the writer.
func Write(w io.Writer, name string, p *drawing.Page) error {
	for _, f := range writers {
		if f.name == name {
			return f.write(w, p)
		}
	}
	panic("render: no form " + name)
}
