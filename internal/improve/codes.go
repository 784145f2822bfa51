package improve

import (
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// fillCodes returns a model whose control flow older runtimes recognise as well, and the result
// that produced it. It returns m itself if its control flow is not hidden, if its bytes must
// not move, and if only the plan is to be removed.
func fillCodes(m *tflite.Model, g Goal) (*tflite.Model, *rewrite.Result, error) {
	if g.Remove {
		return m, &rewrite.Result{Method: rewrite.Unchanged}, nil // removes the plan only
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

// follows rebases an outcome onto the file whose operator codes were filled.
func (o *Outcome) follows(m *tflite.Model, r *rewrite.Result) { o.Follows(m, r, Filled) }

// Follows rebases an outcome onto the file from which another change produced the model; action
// is that change, used if nothing else was done.
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
