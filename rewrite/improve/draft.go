package improve

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A draft is a file on the way to the outcome. It is a value: what is tried is made of a copy,
// and the draft before is still there.
type draft struct {
	// base is what a plan is made for: the model, unless its operators change places.
	base *tflite.Model
	// scratch is that of base.
	scratch []rules.Request
	// data is the file, and the rest how it came of the model's own.
	data    []byte
	method  rewrite.Method
	shift   int64
	changes []string
	// mended says that base is in a valid order, and the model is not; mends that LiteRT
	// runs the new order right, and not the one before.
	mended, mends bool
	// moved is how many operators have a new place, and peak the peak of their new order
	// where that is not the least.
	moved int
	peak  int64
}

// asItIs returns the draft that nothing was done to.
func (w *improver) asItIs() draft {
	return draft{base: w.model, scratch: w.goal.Device.Requests(w.model), data: w.model.Data, method: rewrite.Unchanged, changes: []string{}}
}

// rebase goes on with a file whose operators have changed places, and their scratch with them.
func (d draft) rebase(r *rewrite.Result, scratch []rules.Request) (draft, error) {
	base, err := tflite.Parse(r.Data, d.base.Name)
	if err != nil {
		return draft{}, err
	}
	d.base, d.scratch = base, scratch
	return d.take(r), nil
}

// take goes on with a file.
func (d draft) take(r *rewrite.Result) draft {
	d.data = r.Data
	if r.Method != rewrite.Unchanged {
		d.method = r.Method
	}
	d.shift += r.Added
	d.changes = append(d.changes[:len(d.changes):len(d.changes)], r.Changes...)
	return d
}
