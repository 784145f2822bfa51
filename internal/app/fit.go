package app

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// FitOptions configure a fit.
type FitOptions struct {
	shrink.Goal
	// Highest is the highest level that may meet a budget which Alias misses, or "" for any.
	Highest rules.Alias
	// AllowFaults permits a model that computes wrong results or does not run.
	AllowFaults bool
}

// An UnknownArenaError is an unknown arena, so that no budget can be met.
type UnknownArenaError struct{ Figures rules.Figures }

func (e *UnknownArenaError) Error() string {
	return "the arena is not known: " + results.UnknownText(e.Figures)
}

// Rounds is the number of rounds of the searches of commands and pages; zero means all. Tests lower it.
var Rounds int

// Fittable returns the reason why a model cannot be fitted, a [*notes.FaultyError] or an
// [*UnknownArenaError]. Without a budget, an unknown arena only warns.
func Fittable(ctx context.Context, m *tflite.Model, o FitOptions) (warnings []results.Note, err error) {
	if !o.AllowFaults {
		if err := refuseFaults(ctx, m, o.Device); err != nil {
			return nil, err
		}
	}
	arena := rules.Load{Kept: m, Requests: o.Device.Requests(m)}.Arena(o.Device)
	if !arena.Known() && (o.Budget > 0 || o.HeadBudget > 0) {
		return nil, &UnknownArenaError{arena.Figures}
	}
	return notes.UnknownArena(arena.Figures), nil
}

// A Fitted is a model after the search for one within a budget.
type Fitted struct {
	*shrink.Report
	// Goal has the level of in-place outputs that was used.
	Goal      shrink.Goal
	model     *tflite.Model
	highest   rules.Alias
	shortfall *shrink.Shortfall
}

// Fit looks for a model within a budget, until ctx ends. It does not refuse faulty models: see [Fittable]. It returns the errors of [shrink.Fit].
func Fit(ctx context.Context, m *tflite.Model, o FitOptions) (*Fitted, error) {
	o.Rounds = Rounds
	r, err := shrink.Fit(ctx, m, o.Goal)
	if err != nil {
		return nil, err
	}
	o.Goal.Alias = r.Alias
	return &Fitted{Report: r, model: m, Goal: o.Goal, highest: o.Highest}, nil
}

// Missed reports whether a budget is not met.
func (f *Fitted) Missed() bool { return !f.Met && (f.Goal.HeadBudget > 0 || f.Goal.Budget > 0) }

// Explain explains a budget that is not met. It tries changes of the goal until limited ends.
func (f *Fitted) Explain(ctx, limited context.Context, goal shrink.Goal) (err error) {
	f.shortfall, err = shrink.Explain(limited, f.model, goal, f.Report)
	f.Interrupted = f.Interrupted || ctx.Err() != nil
	return err
}

// permits reports whether a change of the goal may be proposed.
func (f *Fitted) permits(w *shrink.Way) bool {
	return f.highest == "" || w.Alias == "" || slices.Contains(f.highest.UpTo(), w.Alias)
}

// Remedy returns the first change of the goal that meets its budgets and may be proposed, or nil.
func (f *Fitted) Remedy() *shrink.Way {
	if f.shortfall == nil {
		return nil
	}
	i := slices.IndexFunc(f.shortfall.Ways, func(w shrink.Way) bool { return w.Met && f.permits(&w) })
	if i < 0 {
		return nil
	}
	return &f.shortfall.Ways[i]
}

// Held returns the budget of the arena, or the required arena without one.
func (f *Fitted) Held() int64 {
	if f.Goal.Budget > 0 {
		return f.Goal.Budget
	}
	return f.Required()
}

// Required returns the required arena.
func (f *Fitted) Required() int64 { return f.Steps[f.Best].Stated().Required }

// Result returns the report as a result, and the consequence for the file. Option names a change of the
// goal as an option of the caller.
func (f *Fitted) Result(option func(*shrink.Way) string) (*results.Fit, *shrink.Outcome, error) {
	m, device := f.model, f.Goal.Device
	v, err := device.Rules().View(m, -1)
	if err != nil {
		return nil, nil, err
	}
	o, err := f.Outcome(m, f.Goal)
	if err != nil {
		return nil, nil, err
	}
	r := results.NewFit(m.Name, f.Report, f.Goal)
	if f.shortfall != nil {
		r.Shortfall = results.NewShortfall(f.shortfall, f.Report, f.Goal, option, f.permits)
	}
	r.Notes, r.Warnings = []results.Note{notes.ScratchNote(device, m)}, notes.Warnings(v)
	if marker := OtherKernels(m, device); marker != nil {
		n := results.PlanWarning(embedded.Broken, fmt.Sprintf("the memory plan that the model carries is for other kernels, %s, and is taken out", rules.OfMarker(marker.Kernels)))
		n.Remedy = results.CountKernels
		r.Warnings = append(r.Warnings, n)
	}
	return r, o, nil
}

// OtherKernels returns the marker of an embedded plan that is valid only with other kernels than the
// device's, or nil.
func OtherKernels(m *tflite.Model, device rules.Device) *rewrite.Marker {
	marker, err := rewrite.ReadMarker(m)
	plans, bad := rewrite.ReadPlans(m)
	if err != nil || bad != nil || marker == nil || len(plans) == 0 || rules.OfMarker(marker.Kernels) == device.Kernels {
		return nil
	}
	return marker
}

// Frontier looks for possible arenas and their extra work, until ctx ends. It returns the errors of
// [shrink.Frontier].
func Frontier(ctx context.Context, m *tflite.Model, goal shrink.Goal) (*results.Frontier, *shrink.Survey, error) {
	goal.Rounds = Rounds
	s, err := shrink.Frontier(ctx, m, goal)
	if err != nil {
		return nil, nil, err
	}
	r := results.NewFrontier(m.Name, s, goal)
	faults := goal.Device.Rules().Faults(m)
	r.Faults = results.NewFaults(faults)
	r.Warnings = append(notes.Unusual(m), notes.AllFaults(faults)...)
	r.Notes = append(r.Notes, notes.ScratchNote(goal.Device, m))
	return r, s, nil
}
