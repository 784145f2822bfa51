package firmware

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/csource"
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
	// Kernels names the kernels of that figure, in the middle of a sentence.
	Kernels string
	// Variables is the number of resource variables that the application reserves.
	Variables int
	// Check is the command line that checks the model in the folder against that figure, or "".
	Check string
}

func (p *Program) lower() string { return csource.Identifier(p.Name, strings.ToLower) }
func (p *Program) upper() string { return csource.Identifier(p.Name, strings.ToUpper) }

// fill replaces the keys in a text by names and figures of the program, and the given keys by the value
// after each. It is one pass, so no value is searched for keys.
func (p *Program) fill(text string, others ...string) string {
	return strings.NewReplacer(append(others,
		"{{title}}", csource.Comment(filepath.Base(p.Name)), "{{lower}}", p.lower(), "{{upper}}", p.upper(),
		"{{size}}", fmt.Sprint(len(p.Model.Data)), "{{alignment}}", fmt.Sprint(alignment), "{{arena}}", p.arena(),
	)...).Replace(text)
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

// Write writes a file of a kind in [Names], or one of the [Files] of the program's folder. Equal programs give
// equal bytes. It returns the errors of w, and an error for an unknown name.
func Write(w io.Writer, name string, p *Program) error {
	for _, f := range append(Formats(), folder(p.Name)...) {
		if f.Name == name {
			return f.write(w, p)
		}
	}
	return fmt.Errorf("unknown format %q", name)
}
