package improve

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// draft is an intermediate file. It is a value: attempts modify a copy, and the previous draft
// remains.
type draft struct {
	// base is the model to plan for: the original, unless its operators are reordered.
	base *tflite.Model
	// scratch is the scratch of base.
	scratch []rules.Request
	// data is the file; the other fields describe how it was derived from the original.
	data    []byte
	method  rewrite.Method
	shift   int64
	changes []string
	// mended reports that base is in a valid order, unlike the original; mends that LiteRT runs
	// the new order correctly, unlike the one before.
	mended, mends bool
	// moved is the number of moved operators. peak is the peak of their new order if that is
	// not the lowest, otherwise zero.
	moved int
	peak  int64
}

// asItIs returns the draft of the unmodified model.
func (w *improver) asItIs() draft {
	return draft{base: w.model, scratch: w.goal.Device.Requests(w.model), data: w.model.Data, method: rewrite.Unchanged, changes: []string{}}
}

// rebase continues with a file with reordered operators, and their scratch.
func (d draft) rebase(r *rewrite.Result, scratch []rules.Request) (draft, error) {
	base, err := tflite.Parse(r.Data, d.base.Name)
	if err != nil {
		return draft{}, err
	}
	d.base, d.scratch = base, scratch
	return d.take(r), nil
}

// take continues with another file.
func (d draft) take(r *rewrite.Result) draft {
	d.data = r.Data
	if r.Method != rewrite.Unchanged {
		d.method = r.Method
	}
	d.shift += r.Added
	d.changes = append(d.changes[:len(d.changes):len(d.changes)], r.Changes...)
	return d
}
