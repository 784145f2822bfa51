package app

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

// RewriteOptions configure a rewrite.
type RewriteOptions struct {
	improve.Goal
	// InlineWeights moves weights behind the flatbuffer into it.
	InlineWeights bool
	// Repair replaces operators that have a fault on the device, Substitute those that others compute in less
	// memory. NoAssertions says that the device's build has no assertions (NDEBUG).
	Repair, Substitute, NoAssertions bool
	// Slim omits what no runtime reads, such as the names of tensors inside the graph.
	Slim bool
	// AllowFaults permits a model that computes wrong results or does not run.
	AllowFaults bool
}

// transforms returns the options of package transform.
func (o *RewriteOptions) transforms() transform.Options {
	return transform.Options{Device: o.Device, NoAssertions: o.NoAssertions, Force: o.Force}
}

// A Rewritten is a rewritten model.
type Rewritten struct {
	*improve.Outcome
	// Model is the model before its plan was made: with inlined weights, repaired and substituted.
	Model *tflite.Model
	// Rules are the rules that were applied, Savings what was omitted.
	Rules   []transform.Applied
	Savings []slim.Saving
	goal    improve.Goal
	// added are the kinds of operators that the original did not have.
	added []string
	// repaired reports that faults were looked for, to be repaired.
	repaired bool
}

// Rewrite improves the memory plan of a model, after changes of its operators. Limited ends with ctx, and also at
// the time limit, with the best so far. The error is [context.Canceled] when ctx ends first,
// [context.DeadlineExceeded] if limited ends before there is a result, a [*notes.FaultyError], or one of
// [transform.Repair], [transform.Substitute] or [improve.Improve].
func Rewrite(ctx, limited context.Context, m *tflite.Model, o RewriteOptions) (*Rewritten, error) {
	w := &rewriting{options: o, model: m, unchanged: &rewrite.Result{Method: rewrite.Unchanged}}
	if err := w.keepForeign(ctx); err != nil {
		return nil, err
	}
	if err := w.inline(); err != nil {
		return nil, err
	}
	if err := w.repair(limited); err != nil {
		return nil, err
	}
	if o.Repair && limited.Err() != nil && notes.RefuseFaults(w.model, o.Device) != nil {
		return nil, limited.Err() // more time may repair more
	}
	if !o.AllowFaults {
		if err := refuseFaults(ctx, w.model, o.Device); err != nil {
			return nil, err
		}
	}
	found, err := w.improve(limited)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Canceled // the plan would depend on the time
	case found.Reason.Kind == improve.OutOfTime:
		return nil, context.DeadlineExceeded
	}
	found.Follows(m, w.unchanged, w.action)
	if len(w.rules)+len(w.savings) > 0 {
		before, err := improve.Current(ctx, m, o.Goal)
		if err != nil {
			return nil, err
		}
		found.Saved += before.Head - found.Before.Head
		found.Before = before
	}
	return &Rewritten{Outcome: found, Model: w.model, Rules: w.rules, Savings: w.savings, goal: o.Goal, added: append([]string{}, rewrite.NewOperators(m, w.model)...), repaired: o.Repair}, nil
}

// rewriting is a model on its way to its plan.
type rewriting struct {
	options RewriteOptions
	model   *tflite.Model
	rules   []transform.Applied
	savings []slim.Saving
	// unchanged is the change of the file so far, action what it was.
	unchanged *rewrite.Result
	action    improve.Action
	// foreign reports that another tool's plan stays.
	foreign bool
}

// keepForeign leaves another tool's plan in place: it names tensors by index, and custom operators may rely on it.
func (w *rewriting) keepForeign(ctx context.Context) error {
	o := &w.options
	if o.Force || !o.Repair && !o.Substitute && !o.Slim {
		return nil
	}
	carried, err := embedded.Follow(ctx, o.Device, w.model, o.Device.Kernels)
	if err != nil {
		return err
	}
	if w.foreign = carried.Foreign(w.model) != ""; w.foreign {
		o.Repair, o.Substitute = false, false
	}
	return nil
}

// inline moves weights into the flatbuffer.
func (w *rewriting) inline() error {
	if !w.options.InlineWeights {
		return nil
	}
	moved, err := rewrite.InlineWeights(w.model, rewrite.Options{Force: w.options.Force})
	if err != nil || moved.Method == rewrite.Unchanged {
		return err
	}
	inlined, err := tflite.Parse(moved.Data, w.model.Name)
	if err != nil {
		return &rewrite.FaultError{Err: err}
	}
	w.model, w.unchanged, w.action = inlined, moved, improve.Inlined
	return nil
}

// slim omits what no runtime reads. A plan names tensors by index; if it is made anew, it is removed first.
func (w *rewriting) slim() error {
	if !w.options.Slim {
		return nil
	}
	m, o := w.model, rewrite.Options{Force: w.options.Force}
	if !w.foreign {
		removed, err := rewrite.Remove(m, o)
		if err != nil {
			return err
		}
		if m, err = tflite.Parse(removed.Data, m.Name); err != nil {
			return &rewrite.FaultError{Err: err}
		}
	}
	r, err := slim.Slim(m, o)
	if err != nil || r.After >= r.Before {
		return err
	}
	less, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		return &rewrite.FaultError{Err: err}
	}
	w.model, w.savings, w.action = less, r.Savings, improve.Slimmed
	w.unchanged = &rewrite.Result{Method: rewrite.Whole, Data: r.Data, Changes: append(w.unchanged.Changes, r.Forced...)}
	return nil
}

// take takes the result of rules.
func (w *rewriting) take(r *transform.Result) {
	if len(r.Applied) == 0 {
		return
	}
	done := *w.unchanged
	done.Method, done.Added, done.Data = rewrite.Prefix, done.Added+int64(len(r.Model.Data)-len(w.model.Data)), r.Model.Data
	if slices.ContainsFunc(r.Applied, func(a transform.Applied) bool { return len(a.Rule.Operators) == 0 }) {
		done.Method, done.Added = rewrite.Whole, 0
	}
	w.model, w.unchanged, w.action, w.rules = r.Model, &done, improve.Transformed, append(w.rules, r.Applied...)
}

// improve makes the plan of the model, or of the model with other operators if that needs a smaller arena.
func (w *rewriting) improve(ctx context.Context) (*improve.Outcome, error) {
	other, err := w.substituted(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.slim(); err != nil {
		return nil, err
	}
	if other == nil {
		return improve.Improve(ctx, w.model, w.options.Goal)
	}
	half, cancel := deadline.Share(ctx, 2)
	defer cancel()
	found, err := improve.Improve(half, w.model, w.options.Goal)
	if err != nil {
		return nil, err
	}
	if err := other.slim(); err != nil {
		return nil, err
	}
	better, err := improve.Improve(ctx, other.model, w.options.Goal)
	late := func(o *improve.Outcome) bool { return o.Reason.Kind == improve.OutOfTime }
	if err != nil || !late(found) && (late(better) || better.After.Size() > found.After.Size()) {
		return found, err
	}
	*w = *other
	return better, nil
}

// substituted returns the model with cheaper operators, or nil if there are none.
func (w *rewriting) substituted(ctx context.Context) (*rewriting, error) {
	if !w.options.Substitute {
		return nil, nil
	}
	share, cancel := deadline.Share(ctx, 3)
	defer cancel()
	r, err := transform.Substitute(share, w.model, w.options.transforms())
	if err != nil || len(r.Applied) == 0 {
		return nil, err
	}
	other := *w
	other.take(r)
	return &other, nil
}

// Result returns the outcome as a result. Output is the path of the new model.
func (r *Rewritten) Result(output string) *results.Rewrite {
	device := r.goal.Device
	x := results.NewRewrite(r.Model.Name, output, r.goal, r.Outcome, len(device.Requests(r.Model)))
	x.NewOperators = r.added
	x.Rules, x.Slimmed = results.NewRules(r.Rules), results.NewSavings(r.Savings)
	x.Notes = append([]results.Note{notes.ScratchNote(device, r.Model)}, x.Notes...)
	if r.repaired {
		x.Notes = append([]results.Note{notes.RepairedFor(device)}, x.Notes...)
	}
	own := append(notes.Unusual(r.Model), notes.AllFaults(r.Faults)...)
	x.Warnings = append(append(own, notes.UnknownArena(r.After.Figures)...), x.Warnings...)
	return x
}
