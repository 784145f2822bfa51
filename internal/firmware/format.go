package firmware

import (
	"fmt"
	"io"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// A Program is a model for firmware.
type Program struct {
	// Name is the path of the model, the base of identifiers.
	Name  string
	Model *tflite.Model
	// Required is the required arena in bytes, zero if unknown; Target is the target of that figure.
	Required int64
	Target   string
	// Kernels are the kernels of that figure, as in a sentence.
	Kernels string
}

// A Format is a kind of file.
type Format struct {
	// Name is the format's name for -o. Extensions are its file extensions, without the dot, besides
	// the name itself.
	Name       string
	Extensions []string

	write func(io.Writer, *Program) error
}

// The names of the formats.
const (
	Array    = "cc"       // the model as an array of C
	Resolver = "resolver" // the resolver of its operators, in C++
)

// formats is the registry of the command and package output.
var formats = []Format{
	{Name: Array, Extensions: []string{"c", "cpp", "cxx"}, write: writeArray},
	{Name: Resolver, write: writeResolver},
}

// Formats returns all kinds of files in display order.
func Formats() []Format { return slices.Clone(formats) }

// Names returns the names of all kinds.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Write writes a file of a kind in [Names]. Equal programs give equal bytes. It returns the errors of
// w, and an error for an unknown name.
func Write(w io.Writer, name string, p *Program) error {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown format %q", name)
	}
	return formats[i].write(w, p)
}
