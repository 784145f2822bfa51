package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite/pin"
)

func (p *program) checkOne(c *cli.Context, file string, limits budget.Limits) (*results.Check, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	if limits.None() {
		return nil, named(m.Name, usagef("no budget for this model: the --budget file has none for it, and none for all"))
	}
	scratch, err := requests(c, m)
	if err != nil {
		return nil, err
	}
	e, err := follow(m.Name, m, scratch)
	if err != nil {
		return nil, err
	}
	target, err := target(c)
	if err != nil {
		return nil, err
	}
	arena := e.outcome.Arena(target)
	r := &results.Check{
		SchemaVersion: results.SchemaVersion, Input: m.Name, Pass: true,
		ArenaBytes: arena.Total(), HeadBytes: arena.Head, PlanningBytes: arena.Planning, TailBytes: arena.TailBytes(),
		PlanFollowed: e.followed(), Scratch: c.String("scratch"), PointerBytes: target.Pointer,
		Budgets: []results.Budget{}, Notes: checkNotes(e, c.String("scratch"), len(scratch)), Warnings: []string{},
	}
	r.Parts = parts(arena, c.String("scratch"))
	r.LargestTensor = largest(e.outcome)
	// No budget holds where the runtime overwrites tensors or does not start.
	r.PlanProblem = e.trouble(m)
	r.Pass = r.PlanProblem == ""
	judge(r, limits)
	r.Warnings = append(r.Warnings, warnings(e.outcome.View)...)
	p.warn(c, m.Name, r.Warnings)
	return r, nil
}

// unchecked returns the error that keeps a model from being checked as a result, so
// that a page or a report about several does not leave the model out.
func unchecked(c *cli.Context, file string, err error) *results.Check {
	if file == stdinPath {
		file = stdinTitle
	}
	return &results.Check{
		SchemaVersion: results.SchemaVersion, Input: file, Scratch: c.String("scratch"), PointerBytes: c.Int64("pointer"),
		Error: strings.TrimPrefix(err.Error(), file+": "),
		Parts: []results.Part{}, Budgets: []results.Budget{}, Notes: []string{}, Warnings: []string{},
	}
}

func judge(r *results.Check, limits budget.Limits) {
	if limits.Arena != nil {
		r.Judge("arena", r.ArenaBytes, int64(*limits.Arena), "")
	}
	if limits.Head != nil {
		r.Judge("head", r.HeadBytes, int64(*limits.Head), "")
	}
	if limits.Tensor != nil {
		t := r.LargestTensor
		detail := ""
		if t.ID != "" {
			const width = 48 // the whole name is in the JSON
			detail = fmt.Sprintf("tensor %s %q", t.ID, tables.Elide(t.Name, width))
		}
		r.Judge("tensor", t.SizeBytes, int64(*limits.Tensor), detail)
	}
}

// parts names what the arena holds and what each figure rests on.
func parts(a pin.Arena, scratch string) []results.Part {
	planning := "in the head's place, smaller: not added"
	if a.Planning > a.Head {
		planning = "in the head's place, larger: counts instead"
	}
	list := []results.Part{
		{Name: "head", Bytes: a.Head, Estimated: scratch == scratchNone, Basis: "simulated"},
		{Name: "planning memory", Bytes: a.Planning, Basis: planning},
	}
	for _, t := range a.Tail {
		basis := "tail"
		if t.Estimated {
			basis = "tail; depends on kernels and build"
		}
		list = append(list, results.Part{Name: t.Name, Bytes: t.Bytes, Estimated: t.Estimated, Basis: basis})
	}
	return list
}

// largest returns the largest tensor that the runtime plans, the first of equals.
func largest(o *pin.Outcome) (t results.Tensor) {
	for _, r := range o.Records[:o.Planned] {
		if r.Size > t.SizeBytes {
			t = results.Tensor{ID: r.ID, Name: r.Name, FirstOp: r.First, LastOp: r.Last, SizeBytes: r.Size}
		}
	}
	return t
}

// checkNotes says what the figures rest on and leave out.
func checkNotes(e *embedded, scratch string, requests int) []string {
	head := "the head is what the runtime's own planner makes"
	if e.followed() {
		head += fmt.Sprintf(" around the embedded plan, which fixes %d of %d tensors", e.outcome.Pinned, e.outcome.Planned)
	}
	switch scratch {
	case scratchNone:
		head += "; kernel scratch is not counted, --scratch reference counts that of the reference kernels"
	case scratchReference:
		head += fmt.Sprintf(", with the scratch of the reference kernels (requests: %d); other kernel libraries ask for other sizes", requests)
	default:
		head += fmt.Sprintf(", with the scratch of %s (requests: %d)", scratch, requests)
	}
	return []string{
		head,
		"arena = the larger of head and planning memory, and the tail; up to 15 B more are lost when it does not start at a multiple of 16",
	}
}
