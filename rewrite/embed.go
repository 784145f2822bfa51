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
// Where the old plan has room for the new one it is overwritten. Otherwise bytes are
// written in front of the file, a multiple of 64 of them so that every alignment stays.
// Offsets that do not fit the model are an error, and so is a file that cannot be moved
// safely ([*RefusedError]). Embed does not check whether the plan is right: package verify
// does that.
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
	return &Result{Data: data, Method: method, Added: int64(len(data)) - int64(len(m.Data)), Changes: changes}
}
