package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/asis"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A status is a model as a runtime sees it before anything is done to it.
type status struct {
	view *rules.View
	// records are the tensors, followed by the scratch where that is counted.
	records []lifetime.Record
	// The rest is for TensorFlow Lite Micro alone, carried nil for others: the scratch, what
	// the runtime makes of the plan that the model carries, if any, and what the arena of
	// the target holds then.
	scratch []rules.Request
	carried *asis.Carried
	target  rules.Target
	arena   rules.Arena
	// notes say what a reader of the figures has to know.
	notes []results.Note
}

// asItIs returns how a model is under a rule set, with the scratch and the target that the
// flags name.
func asItIs(c *cli.Context, m *tflite.Model, r rules.Rules) (*status, error) {
	subgraph := -1
	if c.IsSet("subgraph") {
		subgraph = c.Int("subgraph")
	}
	v, err := viewOf(m, r, subgraph)
	if err != nil {
		return nil, err
	}
	s := &status{view: v, records: v.Records(), notes: results.RuleNotes(v.Notes)}
	if !r.IsMicro() {
		return s, nil
	}
	if s.scratch, err = requests(c, m); err != nil {
		return nil, err
	}
	if s.carried, err = follow(c.Context, m.Name, m, s.scratch, namedKernels(c)); err != nil {
		return nil, err
	}
	if s.target, err = target(c); err != nil {
		return nil, err
	}
	s.arena = s.carried.Outcome.Arena(s.target)
	s.records = v.WithScratch(s.scratch)
	if err := lifetime.CheckRecords(s.records); err != nil {
		return nil, named(m.Name, invalidError{fmt.Errorf("with --scratch %s: %w", c.String("scratch"), err)})
	}
	// The whole arena is counted here, of which the view's own note leaves out a part.
	counted := slices.DeleteFunc(slices.Clone(v.Notes), func(n rules.Note) bool { return n.Kind == rules.NotCounted })
	s.notes = append(results.RuleNotes(counted), results.Note{Kind: results.NoteScratch, Text: scratchNote(c, len(s.scratch))})
	return s, nil
}

// withHead returns what the arena would hold if the head took so many bytes.
func (s *status) withHead(bytes int64) rules.Arena {
	o := *s.carried.Outcome
	o.Head = bytes
	return o.Arena(s.target)
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
	if s.carried != nil {
		return results.CarriedLayout(s.carried, alloc.LowerBound(alloc.Offsets, s.records))
	}
	by := "placed by the strategy " + plan.Winner
	if s.view.Rules.Planner != "" {
		by = "placed by the planner of " + s.view.Rules.Title
	}
	return &results.Layout{View: s.view, Records: s.records, Offsets: plan.Offsets, Total: plan.Total, LowerBound: plan.LowerBound, By: by}
}
