package rewrite

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Options are the choices of [Embed], [Remove] and [Reorder], and of package edit.
type Options struct {
	// Force goes ahead where a [*RefusedError] that says so would stop.
	Force bool
	// Mend lets [Reorder] move an operator behind the one that makes what it reads, where
	// the file has them the other way round. The model then computes something else.
	Mend bool
}

// A Method says how a file was changed.
type Method string

const (
	// Unchanged: the file already was as asked.
	Unchanged Method = "unchanged"
	// InPlace: bytes were overwritten, and none moved.
	InPlace Method = "in place"
	// Prefix: bytes were written in front, and the old ones moved behind them.
	Prefix Method = "prefix"
	// Restored: the bytes that [Embed] wrote in front were cut off again.
	Restored Method = "restored"
)

// A Result is a new model file.
type Result struct {
	// Data is the file, which is the model's own data where Method is Unchanged.
	Data   []byte
	Method Method
	// Added is how many bytes the file grew by; negative when it shrank.
	Added int64
	// Changes says for people what was changed, a sentence each.
	Changes []string
}

// Embed returns the file of m with offsets as its memory plan, one offset in bytes
// a tensor of all subgraphs, in file order; [Online] leaves a tensor to the runtime.
// Several plans become one. m is what package tflite parsed, and is not changed.
//
// A plan that has room is overwritten; otherwise bytes are written in front of the
// file, a multiple of 64 of them so that every alignment stays. Offsets that do not
// fit the model are an error, and so is a file that cannot be moved safely
// ([*RefusedError]). Whether the plan is right is not looked at: package verify does that.
func Embed(m *tflite.Model, offsets []int32, o Options) (*Result, error) {
	if err := checkOffsets(m, offsets); err != nil {
		return nil, err
	}
	plan := encodePlan(len(m.Subgraphs), offsets)
	if data, changes := patch.Overwrite(m, plan); data != nil {
		return result(m, data, InPlace, changes...), nil
	}
	data, changes, err := patch.Prepend(m, plan, o.Force)
	if err != nil {
		return nil, fmt.Errorf("embed the plan: %w", err)
	}
	return result(m, data, Prefix, changes...), nil
}

// result returns a result with the method that the data shows.
func result(m *tflite.Model, data []byte, method Method, changes ...string) *Result {
	if bytes.Equal(m.Data, data) {
		return &Result{Data: m.Data, Method: Unchanged}
	}
	return &Result{data, method, int64(len(data)) - int64(len(m.Data)), changes}
}
