package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/report"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A status is a model as a runtime sees it before anything is done to it.
type status struct {
	*report.Subject
	// notes are the notes of the subject, and a note that says which scratch was counted.
	notes []results.Note
}

// asItIs returns how a model is under a rule set, on the device that the flags name.
func asItIs(c *cli.Context, m *tflite.Model, r rules.Rules) (*status, error) {
	subgraph := -1
	if c.IsSet("subgraph") {
		subgraph = c.Int("subgraph")
	}
	var d rules.Device
	if r.IsMicro() {
		var err error
		if d, err = deviceFor(c, m); err != nil {
			return nil, err
		}
		r = r.On(d)
	}
	v, err := viewOf(m, r, subgraph)
	if err != nil {
		return nil, err
	}
	if !r.IsMicro() {
		s := report.Plain(v)
		return &status{s, s.Notes}, nil
	}
	s, err := report.Micro(c.Context, v, d, chosenKernels(c, d))
	if err != nil {
		return nil, unfollowed(c.Context, m.Name, err)
	}
	if err := lifetime.CheckRecords(s.Records); err != nil {
		return nil, named(m.Name, invalidError{fmt.Errorf("with --scratch %s: %w", c.String("scratch"), err)})
	}
	note := results.Note{Kind: results.NoteScratch, Text: remarks.ScratchNote(d.ScratchSource(), len(s.Scratch))}
	return &status{s, append(s.Notes[:len(s.Notes):len(s.Notes)], note)}, nil
}

// scratchForMicro refuses flags that only TensorFlow Lite Micro's figures depend on where
// the rules are another runtime's.
func scratchForMicro(c *cli.Context, r rules.Rules) error {
	if r.IsMicro() {
		return nil
	}
	for _, f := range scratchFlags("") {
		if flag := f.Names()[0]; c.IsSet(flag) {
			return usagef("%s is for TensorFlow Lite Micro: leave it out, or use --runtime %s", dashed(flag), rules.Micro().Name)
		}
	}
	return nil
}

// layout returns where the runtime puts what it plans: with the plan that the model carries, if it
// follows one, and else with a plan of its records.
func (s *status) layout(plan *alloc.Plan) *results.Layout {
	if s.Carried != nil {
		return results.CarriedLayout(s.Carried, alloc.LowerBound(alloc.Offsets, s.Records))
	}
	by := "placed by the strategy " + plan.Winner
	if s.View.Rules.Planner != "" {
		by = "placed by the planner of " + s.View.Rules.Title
	}
	return &results.Layout{View: s.View, Records: s.Records, Offsets: plan.Offsets, Total: plan.Total, LowerBound: plan.LowerBound, By: by}
}
