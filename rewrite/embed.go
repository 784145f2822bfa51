package rewrite

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Options are the choices of [Embed], [Remove] and [Reorder], and of package edit.
type Options struct {
	// Force overrides those refusals whose [*RefusedError] says that it can.
	Force bool
	// Mend lets [Reorder] move an operator behind the operator that makes what it reads,
	// where the file has the two the other way round. The model then computes something
	// else.
	Mend bool
	// Marker is what [Embed] writes beside the plan, nil for nothing. A marker that was there
	// goes, since it says something of the old plan.
	Marker *Marker
}

// A Method says how a file was changed.
type Method string

const (
	// Unchanged says that the file already was as asked.
	Unchanged Method = "unchanged"
	// InPlace says that bytes were overwritten, and none moved.
	InPlace Method = "in place"
	// Prefix says that bytes were written in front, and the old ones moved behind them.
	Prefix Method = "prefix"
	// Restored says that the bytes which [Embed] wrote in front were cut off again.
	Restored Method = "restored"
)

// A Result is a new model file.
type Result struct {
	// Data is the new file. It is the model's own data where Method is Unchanged.
	Data   []byte
	Method Method
	// Added is by how many bytes the file grew; negative when it shrank.
	Added int64
	// Changes says for people what was changed, in one sentence for each change.
	Changes []string
}

// Embed returns the file of m with offsets as its memory plan: one offset in bytes for each
// tensor of all subgraphs, in the order of the file. [Online] leaves a tensor to the
// runtime. A file that had several plans has only the new one afterwards. m is what package
// tflite parsed, and is not changed.
//
// Where the old plan has room for the new one it is overwritten, and so is the old marker.
// Otherwise bytes are written in front of the file, a multiple of 64 of them so that every
// alignment stays, in the place of those that an earlier Embed wrote there if it is the
// marker that has no room. Offsets that do not fit the model are an error, and so are a
// marker that [ReadMarker] would not read and a file that cannot be moved safely
// ([*RefusedError]). Embed does not check whether the plan is right: package verify does
// that.
func Embed(m *tflite.Model, offsets []int32, o Options) (*Result, error) {
	if err := checkOffsets(m, offsets); err != nil {
		return nil, err
	}
	c := patch.Carried{Plan: encodePlan(len(m.Subgraphs), offsets)}
	if o.Marker != nil {
		var err error
		if c.Marker, err = o.Marker.encode(); err != nil {
			return nil, err
		}
	}
	goes := o.Marker == nil && len(patch.MarkerEntries(m)) > 0
	data, changes := patch.Overwrite(m, c)
	if data != nil && !goes {
		return result(m, data, InPlace, changes...), nil
	}
	if goes || o.Marker != nil {
		if r := embedAnew(m, c, o.Force); r != nil {
			return r, nil
		}
	}
	if data != nil {
		return result(m, data, InPlace, changes...), nil
	}
	data, changes, err := patch.Prepend(m, c, o.Force)
	if err != nil {
		return nil, fmt.Errorf("embed the plan: %w", err)
	}
	return result(m, data, Prefix, changes...), nil
}

// embedAnew writes another front in the place of the one that Embed wrote, so that the file
// does not grow with each, and [Remove] still finds the way back. It returns nil where it
// cannot.
func embedAnew(m *tflite.Model, c patch.Carried, force bool) *Result {
	old := patch.Original(m)
	if old == nil {
		return nil
	}
	method := Restored
	data, changes := patch.Overwrite(old, c)
	if data == nil {
		var err error
		method = Prefix
		if data, changes, err = patch.Prepend(old, c, force); err != nil {
			return nil
		}
	}
	return result(m, data, method, append([]string{cutOff(m, old)}, changes...)...)
}

// result returns a result with the method that the data shows.
func result(m *tflite.Model, data []byte, method Method, changes ...string) *Result {
	if bytes.Equal(m.Data, data) {
		return &Result{Data: m.Data, Method: Unchanged}
	}
	return &Result{Data: data, Method: method, Added: int64(len(data)) - int64(len(m.Data)), Changes: changes}
}
