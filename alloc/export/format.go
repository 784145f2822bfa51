package export

import (
	"io"

	"golang.org/x/exp/slices"
)

// A Format is a file format of plans.
type Format struct {
	// Name is the format's name for -o. Extensions are its file extensions, without the dot, besides
	// the name itself.
	Name       string
	Extensions []string
	// Drawing reports that the format is not text for people.
	Drawing bool
	// Firmware reports that the format requires [Plan.Firmware].
	Firmware bool
	// Model reports that the format requires a model: the [Plan.Model] with its nodes.
	Model bool
	// Program reports that the format states the problem for a solver instead of the plan.
	Program bool

	write func(io.Writer, *Plan) error
}

// formats is the registry. A new format takes an entry here and a file with its writer; the command and
// package output find it here.
var formats = []Format{
	{Name: "csv", write: writeCSV},
	{Name: "svg", Drawing: true, write: pictureIn("svg")},
	{Name: "png", Drawing: true, write: pictureIn("png")},
	{Name: "pdf", Drawing: true, write: pictureIn("pdf")},
	{Name: "trace", write: writeTrace},
	{Name: "model-explorer", Model: true, write: writeExplorer},
	{Name: "header", Extensions: []string{"h", "hpp"}, Firmware: true, write: writeHeader},
	{Name: "bufferplan", Firmware: true, write: writeBufferPlan},
	{Name: "c", write: writeTable},
	{Name: "lp", Program: true, write: writeLP},
	{Name: "mps", Program: true, write: writeMPS},
}

// Formats returns all formats in display order.
func Formats() []Format { return slices.Clone(formats) }

// Names returns the names of all formats.
func Names() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

func Lookup(name string) (f Format, ok bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Write writes a plan in a format of [Names]. Equal plans give equal bytes.
//
// Errors are [*UnknownFormatError], [ErrPlan], and errors of [alloc.Plan.ToOffsets], the writers of
// package mip, and w.
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
	if f.Model && (p.Model == nil || p.Model.Nodes == nil) {
		return planErrorf("%s is for models, and the operators are not known here", name)
	}
	return f.write(w, p)
}
