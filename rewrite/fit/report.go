package fit

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// A Rung is one step of the ladder, with all steps below it taken. Sizes are in bytes.
type Rung struct {
	// Name is what the step is: "as it is", "no plan" (a broken one is taken out), "plan",
	// "order", "clean-up", "patches" or "aliases".
	Name string
	// Figures are those with the memory plan of the step.
	rules.Figures
	// setup is the arena that would be required if nothing had to be planned.
	setup int64
	// ExtraMACs are multiply-accumulates beyond those of the model as it is.
	ExtraMACs int64
	// Operators is how many there are, FileBytes how large the file is, with its plan.
	Operators int
	FileBytes int64
	// record is the size of the record of tiled blocks in the file, in bytes.
	record int64
	// Stages are the runs of operators that were cut.
	Stages []split.Stage
	// Moved and Removed count operators with a new place, and those left out; Takeovers
	// the outputs that take over an input's memory, and Overlaps those that are written over an
	// input that the kernel still reads.
	Moved, Removed, Takeovers, Overlaps int
	// Data is the file, nil where the step changed nothing.
	Data []byte
	// wrong says that LiteRT computes something else (rules.Overwritten).
	wrong bool
}

// model returns the model that a rung is, own where its step changed nothing.
func (r *Rung) model(own *tflite.Model) (*tflite.Model, error) {
	if r.Data == nil {
		return own, nil
	}
	return tflite.Parse(r.Data, own.Name)
}

// A Report is what [Fit] found.
type Report struct {
	// Faults is what is known to go wrong when the runtime runs the model as it is.
	Faults []rules.Fault
	// Rungs are the steps that made a difference, from the model as it is.
	Rungs []Rung
	// Best is the index of the rung to be taken, which is the last one; Met says whether that is
	// within the budgets.
	Best int
	Met  bool
	// OwnMACs are the model's own multiply-accumulates in one run, as package op counts
	// them.
	OwnMACs int64
	// Frontier has estimates for all ways of cutting that no other is below in head, extra
	// work and tail, by falling head.
	Frontier []Estimate
	// Foreign says what shows that the plan which the model carries is another tool's, ""
	// where none does. Then nothing is changed, unless [Goal.Force] is set.
	Foreign string
	// Sharing says what outputs that take over inputs come to where the least head is looked
	// for and nothing was gained without; nil where that is no gain, and where it was not tried.
	Sharing *Sharing
	// NotCut says why the model could not be cut, "" where it could.
	NotCut string
	// Larger is a rung that meets a budget of the head alone, in an arena larger than there
	// was, where nothing else meets it: an arena given as a budget allows for that.
	Larger *Rung
	// Binding names the operator at the peak of the best rung, and the tensors alive there.
	Binding string
	// NewOperators are kinds of operators that the best rung has and the model had not.
	NewOperators []string
	// Interrupted says that the context ended before all was tried: that a goal is not met
	// shows nothing then.
	Interrupted bool
	// costs is what was counted, for further searches.
	costs *ledger
}

// A Sharing is what a small search found with outputs that take over inputs, in bytes.
type Sharing struct {
	Alias          rules.Alias
	Required, Head int64
}

// An Estimate is one way of cutting, before anything is built.
type Estimate struct {
	// Head is what the runtime would plan, and Tail what it would keep for good beyond what it
	// keeps of the model as it is, in bytes.
	Head, Tail int64
	// ExtraMACs are multiply-accumulates beyond those of the model as it is.
	ExtraMACs int64
	Stages    []split.Stage
}

func estimate(p *parts.Path) Estimate {
	return Estimate{Head: p.Cost.Peak, Tail: p.Cost.Tail, ExtraMACs: p.Cost.MACs, Stages: p.Stages()}
}
