package main

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/remarks"
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

// checkExports rejects C for a model of another runtime than TensorFlow Lite Micro, and formats about
// operators for a problem.
func (j *job) checkExports(specs []output.Spec) error {
	for _, s := range specs {
		if needsModel(s) && j.view == nil {
			return usagef("-o %s=%s: this format is for the operators of a model, and %s is a CSV problem: leave it out", s.Format, s.Path, j.title)
		}
		if needsFirmware(s) && !j.micro() {
			return usagef("-o %s=%s: this format is for models as TensorFlow Lite Micro sees them: use it with a model and --runtime tflm", s.Format, s.Path)
		}
	}
	return nil
}

// checkShapes rejects --shape for a problem, and C for shapes other than the file's.
func (j *job) checkShapes(specs []output.Spec) error {
	if j.problem != nil {
		return usagef("--shape is for models, and %s is a CSV problem: leave it out", j.title)
	}
	for _, s := range specs {
		if needsFirmware(s) {
			return usagef("-o %s=%s: TensorFlow Lite Micro cannot change the shapes of inputs: leave --shape out", s.Format, s.Path)
		}
	}
	return nil
}

// render returns the layout in a format other than JSON.
func (l *layout) render(format string) ([]byte, error) {
	p := l.exported()
	if f, ok := export.Lookup(format); ok && f.Firmware {
		var err error
		if p.Firmware, err = l.firmware(); err != nil {
			return nil, named(l.title, err)
		}
	}
	var b bytes.Buffer
	err := export.Write(&b, format, p)
	return b.Bytes(), named(l.title, err)
}

// exported returns the layout as a plan of package export, without the firmware.
func (l *layout) exported() *export.Plan {
	p := &export.Plan{
		Name: l.title, Title: l.title + ": " + l.Winner, Records: l.records, Places: l.Plan, Stated: l.planned(), Apart: l.permit(alloc.Options{}).Apart,
		Capacity: max(l.capacity, 0),
	}
	if l.micro() {
		p.Notes = append(p.Notes, remarks.ScratchNote(l.device, l.view.Model).Text)
	}
	if l.runtime != "" {
		p.Title += ", " + l.runtime
	}
	if l.problem != nil {
		p.Source = l.problem
	}
	if l.view != nil {
		p.Scene = &export.Scene{Roles: results.Roles(l.view, l.records), Steps: results.StepNames(l.view), Nodes: nodesOf(l.view), Shares: l.choice != nil}
	}
	if l.choice != nil {
		for _, note := range l.sharing() {
			p.Notes = append(p.Notes, note.Text)
		}
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

// firmware returns the layout as used by TensorFlow Lite Micro.
func (l *layout) firmware() (*export.Firmware, error) {
	places := l.Plan
	if l.Approach == alloc.Shared {
		var err error
		if places, err = l.ToOffsets(l.records); err != nil {
			return nil, err
		}
	}
	p := &firmware.Plan{View: l.view, Scratch: l.scratch, Records: l.records, Offsets: places.Offsets}
	return p.On(l.device)
}
