package fit

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Rung is one step of the ladder, including all steps below it. Sizes are in bytes.
type Rung struct {
	// Name is the name of the step: "as it is", "no plan" (a broken one is removed), "plan",
	// "order", "clean-up", "patches" or "aliases".
	Name string
	// Figures includes the step's memory plan.
	rules.Figures
	// setup is the arena that would be required if nothing had to be planned.
	setup int64
	// ExtraMACs are the multiply-accumulates beyond the unmodified model's.
	ExtraMACs int64
	// Operators is the number of operators, FileBytes the size of the file with its plan.
	Operators int
	FileBytes int64
	// record is the size of the record of tiled blocks in the file, in bytes.
	record int64
	// Stages are the tiled runs of operators.
	Stages []split.Stage
	// Moved and Removed count operators reordered and removed, Takeovers the in-place outputs,
	// and Overlaps the outputs that overlap an input that the kernel still reads.
	Moved, Removed, Takeovers, Overlaps int
	// Data is the file, nil if the step changed nothing.
	Data []byte
	// wrong reports that LiteRT computes wrong results (rules.Overwritten).
	wrong bool
}

// model returns the rung's model, or own if its step changed nothing.
func (r *Rung) model(own *tflite.Model) (*tflite.Model, error) {
	if r.Data == nil {
		return own, nil
	}
	return tflite.Parse(r.Data, own.Name)
}

// Report is the result of [Fit].
type Report struct {
	// Faults are the known faults when the runtime runs the unmodified model.
	Faults []rules.Fault
	// Rungs are the effective steps, starting with the unmodified model.
	Rungs []Rung
	// Best is the index of the rung to use, the last one; Met reports whether it is within the
	// budgets.
	Best int
	Met  bool
	// OwnMACs are the model's own multiply-accumulates in one run, as package op counts them.
	OwnMACs int64
	// Frontier holds estimates of all tilings that are undominated in head, extra MACs and
	// tail, in order of falling head.
	Frontier []Estimate
	// Foreign describes the signs that the embedded plan is another tool's, "" if there are
	// none. With signs, nothing is changed unless [Goal.Force] is set.
	Foreign string
	// Sharing is the result with in-place outputs if the goal is the smallest head and nothing
	// was gained without them; nil if that is no gain, or was not tried.
	Sharing *Sharing
	// NotCut is the reason why the model could not be tiled, or "".
	NotCut string
	// Larger is a rung that meets a head budget alone in an arena larger than the original, if
	// nothing else meets it: an explicit arena budget permits that.
	Larger *Rung
	// Binding names the operator at the peak of the best rung, and the tensors live there.
	Binding string
	// NewOperators are the kinds of operators that the best rung adds to the model.
	NewOperators []string
	// Interrupted reports that the context ended before everything was tried: an unmet goal
	// proves nothing then.
	Interrupted bool
	// costs is the cache, for further searches.
	costs *ledger
}

// Sharing is the result of a small search with in-place outputs, in bytes.
type Sharing struct {
	Alias          rules.Alias
	Required, Head int64
}

// Estimate is one way of tiling, before anything is built.
type Estimate struct {
	// Head is the estimated head, Tail the persistent memory beyond the unmodified model's, in
	// bytes.
	Head, Tail int64
	// ExtraMACs are the multiply-accumulates beyond the unmodified model's.
	ExtraMACs int64
	Stages    []split.Stage
}

func estimate(p *parts.Path) Estimate {
	return Estimate{Head: p.Cost.Peak, Tail: p.Cost.Tail, ExtraMACs: p.Cost.MACs, Stages: p.Stages()}
}
