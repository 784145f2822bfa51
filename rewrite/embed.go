package rewrite

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Options configures [Embed], [Remove], [Reorder] and package edit.
type Options struct {
	// Force overrides refusals whose [*RefusedError] allows it.
	Force bool
	// Mend lets [Reorder] move an operator after the producer of its input if the file has them
	// in the opposite order. This changes the model's results.
	Mend bool
	// Marker is written by [Embed] with the plan; nil writes none. An old marker is removed,
	// since it describes the old plan.
	Marker *Marker
}

// Method is the way in which a file was changed.
type Method string

const (
	// Unchanged means that no change was needed.
	Unchanged Method = "unchanged"
	// InPlace means that bytes were overwritten and none moved.
	InPlace Method = "in place"
	// Prefix means that bytes were prepended and the old ones moved back.
	Prefix Method = "prefix"
	// Restored means that bytes prepended by [Embed] were removed.
	Restored Method = "restored"
	// Whole means that the file was written anew.
	Whole Method = "whole"
)

// Result is a new model file.
type Result struct {
	// Data is the new file, or the model's own data if Method is Unchanged.
	Data   []byte
	Method Method
	// Added is the growth of the file in bytes; negative if it shrank.
	Added int64
	// Changes describes the changes for people, one sentence each.
	Changes []string
}

// Embed returns the file of m with offsets as its memory plan: one offset in bytes for each
// tensor of all subgraphs, in file order. [Online] leaves a tensor to the runtime. The new plan
// replaces all others. m must come from package tflite's parser; it is not modified.
//
// The old plan and marker are overwritten if there is enough room. Otherwise bytes are
// prepended, a multiple of 64 so that all alignments are preserved; if only the marker lacks
// room, they replace bytes prepended by an earlier Embed. Embed returns an error for offsets
// that do not fit the model, a marker that [ReadMarker] would reject, and a file that cannot be
// moved safely ([*RefusedError]). It does not check whether the plan is valid: package verify
// does.
func Embed(m *tflite.Model, offsets []int32, o Options) (*Result, error) {
	c, err := carried(m, offsets, o)
	if err != nil {
		return nil, err
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
	data, changes, err = patch.Prepend(m, c, o.Force)
	if err != nil {
		return nil, fmt.Errorf("embed the plan: %w", err)
	}
	return result(m, data, Prefix, changes...), nil
}

// EmbeddedSize returns the size of the file that [Embed] returns, in bytes, with the same errors. It builds
// the file only if m has a plan or a marker.
func EmbeddedSize(m *tflite.Model, offsets []int32, o Options) (int64, error) {
	if patch.Carries(m) {
		r, err := Embed(m, offsets, o)
		if err != nil {
			return 0, err
		}
		return int64(len(r.Data)), nil
	}
	c, err := carried(m, offsets, o)
	if err != nil {
		return 0, err
	}
	size, err := patch.Prepended(m, c, o.Force)
	if err != nil {
		return 0, fmt.Errorf("embed the plan: %w", err)
	}
	return size, nil
}

// carried encodes the plan and the marker.
func carried(m *tflite.Model, offsets []int32, o Options) (c patch.Carried, err error) {
	if err := checkOffsets(m, offsets); err != nil {
		return c, err
	}
	c.Plan = encodePlan(len(m.Subgraphs), offsets)
	if o.Marker != nil {
		c.Marker, err = o.Marker.encode()
	}
	return c, err
}

// embedAnew replaces the bytes prepended by an earlier Embed, so that the file does not grow
// each time and [Remove] can still restore the original. It returns nil if it cannot.
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

// result returns a result with the given method, or Unchanged if the data is equal.
func result(m *tflite.Model, data []byte, method Method, changes ...string) *Result {
	if bytes.Equal(m.Data, data) {
		return &Result{Data: m.Data, Method: Unchanged}
	}
	return &Result{Data: data, Method: method, Added: int64(len(data)) - int64(len(m.Data)), Changes: changes}
}
