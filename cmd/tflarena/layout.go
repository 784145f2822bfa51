package main

import (
	"errors"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A layout is the places of all records of a job: every single tensor of a model, and its scratch, even
// if several of them were planned as one. It is computed once, and everything shown or written of a
// plan derives from it.
type layout struct {
	*job
	// Plan has an offset, or an object, for each of the job's records.
	*alloc.Plan
}

// layout converts a plan of the records given to strategies into one of the job's records. It has
// passed the checker.
func (j *job) layout(plan *alloc.Plan) (*layout, error) {
	if j.choice == nil {
		return &layout{j, plan}, nil
	}
	all, err := j.choice.Plan(plan)
	if fault := (*inplace.FaultError)(nil); errors.As(err, &fault) {
		return nil, faultError{fault.Err}
	}
	return &layout{j, all}, err
}

// verdict converts a verdict about a capacity in bytes into one about the job's records.
func (j *job) verdict(v *alloc.Verdict, capacity int64) *alloc.Verdict {
	if j.choice == nil {
		return v
	}
	return j.choice.Verdict(v, capacity)
}

// result returns the layout for people and JSON.
func (l *layout) result() *results.Plan {
	r := results.NewPlan(l.title, l.runtime, l.places(), l.records, l.Plan)
	if l.choice != nil {
		taken := l.choice.Taken(l.Offsets)
		r.Alias, r.Takeovers = l.alias, results.NewTakeovers(l.records, taken)
		if overlapping := l.choice.Overlapping(l.Offsets); len(overlapping) > 0 {
			r.Overlaps = results.NewOverlaps(l.records, overlapping)
		}
		r.Notes = append(r.Notes, l.sharing()...)
	}
	r.Notes = append(r.Notes, l.notes...)
	r.Warnings = append(r.Warnings, l.warnings...)
	return r
}

// places returns the tensors of a model, nil for a problem.
func (j *job) places() results.Places {
	if j.view == nil {
		return nil
	}
	return results.PlacesOf(j.view.Model, j.view.Usage)
}

// sharing reports the tensors that share memory on purpose, and the kernels that this requires.
func (l *layout) sharing() (notes []results.Note) {
	taken, overlapping := len(l.choice.Taken(l.Offsets)), len(l.choice.Overlapping(l.Offsets))
	if taken > 0 || overlapping == 0 {
		text := takenNote(l.alias, rules.AllAliases()[l.choice.Freedom], l.view.Rules.Kernels, taken)
		notes = append(notes, results.Note{Kind: results.NoteTakeovers, Text: text})
	}
	if overlapping > 0 {
		notes = append(notes, results.Note{Kind: results.NoteOverlaps, Text: overlapNote(l.alias, l.view.Rules.Kernels, overlapping)})
	}
	return append(notes, orderNotes(l.alias, l.view.Rules.Kernels, overlapping)...)
}
