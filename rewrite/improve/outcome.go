package improve

import (
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// An Action is what was done to a model.
type Action int

// What can be done to a model.
const (
	Copied    Action = iota // nothing: it has no plan, and needs none
	Kept                    // nothing: the plan that it had stays
	Embedded                // a plan was written into it
	Removed                 // its plan was taken out
	Reordered               // its operators changed places, and it has no plan
	Filled                  // operator codes were filled for older runtimes, and it has no plan
	Inlined                 // weights were moved into the flatbuffer, and it has no plan
)

// A State is what a model takes, in bytes.
type State struct {
	rules.Figures
	// Fixed is how many tensors the plan fixes.
	Fixed int
	// File is the size of the file.
	File int64
}

// An Outcome is what [Improve] found, and did.
type Outcome struct {
	// Data is the new file, the model's own where nothing was changed.
	Data []byte
	// Action is what was done, Reason why no more than that.
	Action Action
	Reason Note
	// Method is how the bytes were changed, Shift how many of them the old ones moved back,
	// and Changes says for people what was changed.
	Method  rewrite.Method
	Shift   int64
	Changes []string
	// Before and After are figures with the plan that the model carried, if it can be
	// followed, and of the new file.
	Before, After State
	// Planned is how many tensors the runtime plans.
	Planned int
	// Online is the head in bytes without any plan, Bound what no plan goes below, Saved by
	// how much the head is smaller: than before, or than without a plan where a broken one
	// goes.
	Online, Bound, Saved int64
	// Pin and Strategy say how the plan was made, if one was.
	Pin      pin.Mode
	Strategy string
	// Takeovers are the outputs that take over an input's memory, between Records.
	Takeovers []lifetime.Takeover
	// Overlaps are the outputs that share bytes with an input that dies meanwhile, between
	// Records.
	Overlaps []lifetime.Overlap
	Records  []lifetime.Record
	// Ordering is what is known of the order of the operators, nil where no other was looked
	// for. Moved is how many operators have a new place. WrittenPeak is the peak in bytes of
	// the new order where that is not the least, zero otherwise.
	Ordering    *schedule.Ordering
	Moved       int
	WrittenPeak int64
	// PlanBroken says that something is wrong with the plan which the model carried: a
	// warning says what.
	PlanBroken bool
	// Faults is what is known to go wrong when the runtime runs the model, before and after.
	Faults []rules.Fault
	// Notes and Warnings are what else was found out, in the order in which it was.
	Notes, Warnings []Note
	// Interrupted says that the search for the plan ended with its context: this is the best
	// until then. Where another order was not planned for in time, there is a note.
	Interrupted bool
}

// outcome returns what comes of a decision whose file takes after.
func (w *improver) outcome(d *decision, after rules.Arena) *Outcome {
	return &Outcome{
		Data: d.data, Action: d.action, Reason: d.reason, Method: d.method, Shift: d.shift, Changes: d.changes,
		Before:  State{w.arena.Figures, w.before.Outcome.Pinned, int64(len(w.model.Data))},
		After:   State{after.Figures, d.fixed, int64(len(d.data))},
		Planned: w.before.Outcome.Planned, Online: w.online, Bound: d.bound, Saved: w.compared(d) - d.head,
		Pin: d.mode, Strategy: d.strategy, Takeovers: d.taken, Overlaps: d.overlaps, Records: d.records,
		Ordering: w.ordering, Moved: d.moved, WrittenPeak: d.peak,
		PlanBroken: w.broken, Faults: w.goal.Device.Rules().Faults(w.model),
		Notes: w.notes, Warnings: w.warnings, Interrupted: d.interrupted,
	}
}

// compared returns the head in bytes that the new one is compared with: what it was, or
// the one without a plan where a broken plan goes, with which the model does not run.
func (w *improver) compared(d *decision) int64 {
	if w.broken && d.action != Kept {
		return w.online
	}
	return w.before.Outcome.Head
}
