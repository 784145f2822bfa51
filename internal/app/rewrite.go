package app

import (
	"context"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/improve"
	"github.com/tflarena/tflarena/tflite"
)

// RewriteOptions configure a rewrite.
type RewriteOptions struct {
	improve.Goal
	// InlineWeights moves weights behind the flatbuffer into it.
	InlineWeights bool
	// AllowFaults permits a model that computes wrong results or does not run.
	AllowFaults bool
}

// A Rewritten is a rewritten model.
type Rewritten struct {
	*improve.Outcome
	// Model is the unmodified model, with inlined weights.
	Model *tflite.Model
	goal  improve.Goal
}

// Rewrite improves the memory plan of a model. Limited ends with ctx, and also at the time limit, with
// the best so far. The error is [context.Canceled] when ctx ends first, [context.DeadlineExceeded] if
// limited ends before there is a result, a [*remarks.FaultyError], or one of [improve.Improve].
func Rewrite(ctx, limited context.Context, m *tflite.Model, o RewriteOptions) (*Rewritten, error) {
	file, moved := m, &rewrite.Result{Method: rewrite.Unchanged}
	if o.InlineWeights {
		var err error
		if moved, err = rewrite.InlineWeights(file, rewrite.Options{Force: o.Force}); err != nil {
			return nil, err
		}
		if moved.Method != rewrite.Unchanged {
			if m, err = tflite.Parse(moved.Data, file.Name); err != nil {
				return nil, &rewrite.FaultError{Err: err}
			}
		}
	}
	if err := remarks.RefuseFaults(m, o.Device); err != nil && !o.AllowFaults {
		return nil, err
	}
	found, err := improve.Improve(limited, m, o.Goal)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Canceled // the plan would depend on the time
	case found.Reason.Kind == improve.OutOfTime:
		return nil, context.DeadlineExceeded
	}
	found.Follows(file, moved, improve.Inlined)
	return &Rewritten{found, m, o.Goal}, nil
}

// Result returns the outcome as a result. Output is the path of the new model.
func (r *Rewritten) Result(output string) *results.Rewrite {
	device := r.goal.Device
	x := results.NewRewrite(r.Model.Name, output, r.goal, r.Outcome, len(device.Requests(r.Model)))
	x.Notes = append([]results.Note{remarks.ScratchNote(device, r.Model)}, x.Notes...)
	own := append(remarks.Unusual(r.Model), remarks.AllFaults(r.Faults)...)
	x.Warnings = append(append(own, remarks.UnknownArena(r.After.Figures)...), x.Warnings...)
	return x
}
