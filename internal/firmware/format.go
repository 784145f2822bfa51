package firmware

import (
	"fmt"
	"io"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// A Program is what firmware is told about a model.
type Program struct {
	// Name is the path of the model, from which identifiers are made.
	Name  string
	Model *tflite.Model
	// Arena is the required arena in bytes, Target what that is counted for.
	Arena  int64
	Target string
	// Kernels are those that it is counted for, as a sentence has them.
	Kernels string
}

// A Format is a kind of file.
type Format struct {
	// Name is what the command's -o calls it. Extensions are those of its files, without the
	// dot, besides the name itself.
	Name       string
	Extensions []string

	write func(io.Writer, *Program) error
}

// The names of the formats.
const (
	Array    = "cc"       // the model as an array of C
	Resolver = "resolver" // the resolver of its operators, in C++
)

// formats is the registry: the command and package output find them here.
var formats = []Format{
	{Name: Array, Extensions: []string{"c", "cpp", "cxx"}, write: writeArray},
	{Name: Resolver, write: writeResolver},
}

// Formats returns all kinds of files, in the order in which they are listed for people.
func Formats() []Format { return slices.Clone(formats) }

// Names returns the names of all kinds.
func Names() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Write writes a file of the kind of a name, one of [Names]. The same program gives the same
// bytes. Its errors are those of w, and one for a name that does not exist.
func Write(w io.Writer, name string, p *Program) error {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return fmt.Errorf("unknown format %q", name)
	}
	return formats[i].write(w, p)
}
