package main

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A layout is where all that a job plans lies: every tensor of a model by itself, and its
// scratch, also where several of them were planned as one. It is made once, and all that
// is shown or written of a plan comes from it.
type layout struct {
	*job
	// Plan has an offset, or an object, for each of the job's records.
	*alloc.Plan
	// taken are the takeovers of the plan, by the job's records.
	taken []lifetime.Takeover
}

// layout returns a plan of what the job's strategies are given as one of its own records,
// and makes the verdict one about them. It has passed the checker.
func (j *job) layout(plan *alloc.Plan, verdict *alloc.Verdict, capacity int64) (*layout, error) {
	a := j.aliasing
	if a == nil {
		return &layout{job: j, Plan: plan}, nil
	}
	all := *plan
	all.Offsets = a.Offsets(plan.Offsets)
	if err := check.Aliased(j.records, all.Offsets, all.Total, a.Taken); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: %w", err)
	}
	a.doubt(&all, verdict, capacity)
	if verdict != nil {
		var core []int
		for _, i := range verdict.Core {
			core = append(core, a.Groups[i]...)
		}
		verdict.Core = core
	}
	return &layout{j, &all, a.Taken}, nil
}

// result returns the layout as people and JSON have it.
func (l *layout) result() *results.Plan {
	r := results.NewPlan(l.title, l.runtime, l.records, l.Plan)
	if l.aliasing != nil {
		r.Alias, r.Takeovers = string(l.aliasing.asked), results.NewTakeovers(l.records, l.taken)
		r.Notes = append(r.Notes, l.aliasing.note())
	}
	r.Notes = append(r.Notes, l.notes...)
	r.Warnings = append(r.Warnings, l.warnings...)
	return r
}

// endToEnd returns the layout in one block: shared objects are laid end to end.
func (l *layout) endToEnd() (*layout, error) {
	if l.Approach != alloc.Shared {
		return l, nil
	}
	plan, err := l.ToOffsets(l.records)
	return &layout{l.job, plan, l.taken}, err
}

// render writes the layout in one format; r is its result.
func (l *layout) render(format string, r *results.Plan, target rules.Target, scratch string) ([]byte, error) {
	switch {
	case format == "json":
		return results.JSON(r)
	case format == "csv" && l.problem == nil:
		return r.CSV()
	case isProgram(format):
		return l.program(format, l.Plan)
	}
	l, err := l.endToEnd()
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(cFormats, format):
		return l.export(format, target, scratch)
	case format == "csv":
		return l.problem.WithOffsets(l.Offsets)
	}
	return l.picture(r), nil
}

func (l *layout) picture(r *results.Plan) []byte {
	title := fmt.Sprintf("%s: %s", l.title, r.Winner)
	if l.runtime != "" {
		title += ", " + l.runtime
	}
	return picture.Map{
		Title: title, Records: l.records, Offsets: l.Offsets, Total: l.Total, LowerBound: r.LowerBoundBytes,
	}.SVG()
}

// placed returns the tensors of a model, and a buffer for each request for scratch: the
// zero value where it has no record.
func (l *layout) placed() (tensors, scratch []lifetime.Placed) {
	list := make([]lifetime.Placed, len(l.records))
	of := map[string]lifetime.Placed{}
	for i, r := range l.records {
		list[i] = lifetime.Placed{Record: r, At: l.Offsets[i]}
		of[r.ID] = list[i]
	}
	for k := range l.scratch {
		scratch = append(scratch, of[rules.ScratchID(k)])
	}
	return list[:len(l.view.Records())], scratch
}
