package improve

import (
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// fillCodes returns a model whose control flow older runtimes see as well, and how it came of m: m itself
// where nothing hides its control flow, where its bytes must not move, and where only a plan is to go.
func fillCodes(m *tflite.Model, g Goal) (*tflite.Model, *rewrite.Result, error) {
	if g.Remove {
		return m, &rewrite.Result{Method: rewrite.Unchanged}, nil // nothing but the plan goes
	}
	r, err := rewrite.FillCodes(m, rewrite.Options{Force: g.Force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return m, &rewrite.Result{Method: rewrite.Unchanged}, nil
	}
	if err != nil || r.Method == rewrite.Unchanged {
		return m, r, err
	}
	filled, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		return nil, nil, &rewrite.FaultError{Err: err}
	}
	return filled, r, nil
}

// follows makes an outcome that of the file from which filled operator codes made the model.
func (o *Outcome) follows(m *tflite.Model, r *rewrite.Result) { o.Follows(m, r, Filled) }

// Follows makes an outcome that of the file from which another change made the model, which is the action
// where nothing else was done.
func (o *Outcome) Follows(m *tflite.Model, r *rewrite.Result, action Action) {
	if r.Method == rewrite.Unchanged {
		return
	}
	if o.Action == Copied {
		o.Action = action
	}
	o.Method, o.Shift, o.Changes = r.Method, o.Shift+r.Added, append(r.Changes, o.Changes...)
	o.Before.File = int64(len(m.Data))
}
