package main

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// isFor returns a predicate on the format of an output.
func isFor(holds func(export.Format) bool) func(output.Spec) bool {
	return func(s output.Spec) bool {
		f, ok := export.Lookup(s.Format)
		return ok && holds(f)
	}
}

// needsFirmware reports whether an output has a format for TensorFlow Lite Micro.
var needsFirmware = isFor(func(f export.Format) bool { return f.Firmware })

// needsModel reports whether an output has a format that requires a model.
var needsModel = isFor(func(f export.Format) bool { return f.Model })

// checkExports rejects C for a model of another runtime than TensorFlow Lite Micro or with shapes other
// than the file's, and formats about operators for a problem.
func checkExports(j *app.Problem, specs []output.Spec, shaped bool) error {
	for _, s := range specs {
		if needsModel(s) && j.View == nil {
			return usagef("-o %s=%s: this format is for the operators of a model, and %s is a CSV problem: leave it out", s.Format, s.Path, j.Title)
		}
		if needsFirmware(s) && !j.IsMicro() {
			return usagef("-o %s=%s: this format is for models as TensorFlow Lite Micro sees them: use it with a model and --runtime tflm", s.Format, s.Path)
		}
	}
	if shaped && j.Rows != nil {
		return usagef("--shape is for models, and %s is a CSV problem: leave it out", j.Title)
	}
	if i := slices.IndexFunc(specs, needsFirmware); shaped && i >= 0 {
		return usagef("-o %s=%s: TensorFlow Lite Micro cannot change the shapes of inputs: leave --shape out", specs[i].Format, specs[i].Path)
	}
	return nil
}

// exported returns a plan in a format other than JSON. Capacity is in bytes, or zero.
func exported(l *app.Placed, format string, capacity int64) ([]byte, error) {
	p := exportedPlan(l)
	p.Capacity = capacity
	if f, ok := export.Lookup(format); ok && f.Firmware {
		var err error
		if p.Firmware, err = firmwareOf(l); err != nil {
			return nil, named(l.Title, err)
		}
	}
	var b bytes.Buffer
	err := export.Write(&b, format, p)
	return b.Bytes(), named(l.Title, err)
}

// exportedPlan returns a plan in the form of package export, without the firmware.
func exportedPlan(l *app.Placed) *export.Plan {
	p := &export.Plan{
		Name: l.Title, Title: l.Title + ": " + l.Winner, Records: l.Records, Places: l.Plan, KnownAt: l.KnownAt, Stated: l.Planned(), Forbidden: l.Permit(alloc.Options{}).Forbidden,
	}
	if l.IsMicro() {
		p.Notes = append(p.Notes, notes.ScratchNote(l.Device, l.View.Model).Text)
	}
	if l.Runtime != "" {
		p.Title += ", " + l.Runtime
	}
	if l.Rows != nil {
		p.Source = l.Rows
	}
	if l.View != nil {
		p.Model = &export.Model{Roles: results.Roles(l.View, l.Records), Steps: results.StepNames(l.View), Nodes: nodesOf(l.View), Shares: l.Choice != nil}
	}
	for _, note := range l.Sharing {
		p.Notes = append(p.Notes, note.Text)
	}
	return p
}

// nodesOf returns the operators at the positions of a model. A subgraph without a name is named as in
// Model Explorer.
func nodesOf(v *rules.View) []export.Node {
	list := make([]export.Node, 0, len(v.Usage.Steps))
	for _, s := range v.Usage.Steps {
		graph := v.Model.Subgraphs[s.Subgraph].Name
		switch {
		case graph != "":
		case s.Subgraph == 0:
			graph = "main"
		default:
			graph = fmt.Sprint("subgraph_", s.Subgraph)
		}
		list = append(list, export.Node{Graph: graph, Operator: s.Operator})
	}
	return list
}

// firmwareOf returns a plan as used by TensorFlow Lite Micro.
func firmwareOf(l *app.Placed) (*export.Firmware, error) {
	places := l.Plan
	if l.Approach == alloc.Shared {
		var err error
		if places, err = l.ToOffsets(l.Records); err != nil {
			return nil, err
		}
	}
	p := &firmware.Plan{View: l.View, Scratch: l.Requests, Records: l.Records, Offsets: places.Offsets}
	return p.On(l.Device)
}
