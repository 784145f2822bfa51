package export

import (
	"io"

	"golang.org/x/exp/slices"
)

// A Format is a form in which plans are written.
type Format struct {
	// Name is what the command's -o calls the form. Extensions are those of its files, without
	// the dot, besides the name itself.
	Name       string
	Extensions []string
	// Drawing says that the form is not meant to be read as text.
	Drawing bool
	// Firmware says that the form needs [Plan.Firmware].
	Firmware bool
	// Model says that the form is of a model, and needs the [Plan.Scene] with its nodes.
	Model bool
	// Program says that the form states the problem for a solver, and not the plan.
	Program bool

	write func(io.Writer, *Plan) error
}

// formats is the registry. A new form needs an entry here and a file with the function that
// writes it; the command and package output find it here.
var formats = []Format{
	{Name: "csv", write: writeCSV},
	{Name: "svg", Drawing: true, write: pictureIn("svg")},
	{Name: "png", Drawing: true, write: pictureIn("png")},
	{Name: "pdf", Drawing: true, write: pictureIn("pdf")},
	{Name: "trace", write: writeTrace},
	{Name: "model-explorer", Model: true, write: writeExplorer},
	{Name: "header", Extensions: []string{"h", "hpp"}, Firmware: true, write: writeHeader},
	{Name: "bufferplan", Firmware: true, write: writeBufferPlan},
	{Name: "lp", Program: true, write: writeLP},
	{Name: "mps", Program: true, write: writeMPS},
}

// Formats returns all forms, in the order in which they are listed for people.
func Formats() []Format { return slices.Clone(formats) }

// Names returns the names of all forms.
func Names() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Lookup returns the form of a name; ok is false where there is none.
func Lookup(name string) (f Format, ok bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Write writes a plan in the form of a name, one of [Names]. The same plan gives the same
// bytes.
//
// Its errors are [*UnknownFormatError], [ErrPlan], those of [alloc.Plan.ToOffsets] and of the
// writers of package mip, and what w returns.
func Write(w io.Writer, name string, p *Plan) error {
	f, ok := Lookup(name)
	if !ok {
		return &UnknownFormatError{name}
	}
	if err := p.check(); err != nil {
		return err
	}
	if f.Firmware && p.Firmware == nil {
		return planErrorf("%s needs what TensorFlow Lite Micro makes of the plan, and that is not known here", name)
	}
	if f.Model && (p.Scene == nil || p.Scene.Nodes == nil) {
		return planErrorf("%s is for models, and the operators are not known here", name)
	}
	return f.write(w, p)
}
