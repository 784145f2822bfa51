package improve

import (
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// Action is the change made to a model.
type Action int

// Actions.
const (
	Copied      Action = iota // nothing: it has no plan, and needs none
	Kept                      // nothing: the existing plan stays
	Embedded                  // a plan was written into it
	Removed                   // its plan was removed
	Reordered                 // its operators were reordered, and it has no plan
	Filled                    // operator codes were filled for older runtimes, and it has no plan
	Inlined                   // weights were moved into the flatbuffer, and it has no plan
	Transformed               // operators were replaced by rules, and it has no plan
	Slimmed                   // parts that no runtime reads were omitted, and it has no plan
)

// State is a model's memory and file size, in bytes.
type State struct {
	rules.Figures
	// Fixed is the number of tensors fixed by the plan.
	Fixed int
	// File is the size of the file.
	File int64
}

// Outcome is the result of [Improve].
type Outcome struct {
	// Data is the new file, or the model's own data if unchanged.
	Data []byte
	// Action is the change made, Reason why no more was done.
	Action Action
	Reason Note
	// Method is the way in which the bytes were changed, Shift the number of bytes by which the
	// old ones moved back. Changes describes the changes for people.
	Method  rewrite.Method
	Shift   int64
	Changes []string
	// Before and After are the figures with the embedded plan, if the runtime can follow it,
	// and of the new file.
	Before, After State
	// Planned is the number of tensors that the runtime plans.
	Planned int
	// Online is the head in bytes without a plan, Bound a lower bound for all plans. Saved is
	// the reduction of the head compared with before, or with no plan if a broken one is
	// removed.
	Online, Bound, Saved int64
	// Pin and Strategy describe how the plan, if any, was made.
	Pin      pin.Mode
	Strategy string
	// Takeovers are the in-place outputs, by indexes of Records.
	Takeovers []lifetime.Takeover
	// Overlaps are the outputs that share bytes with an input that dies meanwhile, by indexes
	// of Records.
	Overlaps []lifetime.Overlap
	Records  []lifetime.Record
	// Ordering is the result of the search for operator orders, nil if there was none. Moved is
	// the number of moved operators. WrittenPeak is the peak in bytes of the new order if that
	// is not the lowest, otherwise zero.
	Ordering    *schedule.Ordering
	Moved       int
	WrittenPeak int64
	// PlanBroken reports that the embedded plan is invalid; a warning has the details.
	PlanBroken bool
	// Faults are the known faults when the runtime runs the model, before and after.
	Faults []rules.Fault
	// Notes and Warnings are further findings, in the order found.
	Notes, Warnings []Note
	// Interrupted reports that the search for the plan ended with its context: this is the best
	// result so far. If another order was not planned in time, there is a note.
	Interrupted bool
}

// outcome returns the outcome of a decision; after is the arena of its file.
func (w *improver) outcome(d *decision, after rules.Arena) *Outcome {
	return &Outcome{
		Data: d.data, Action: d.action, Reason: d.reason, Method: d.method, Shift: d.shift, Changes: d.changes,
		Before:  w.state(),
		After:   State{after.Figures, d.fixed, int64(len(d.data))},
		Planned: w.before.Outcome.Planned, Online: w.online, Bound: d.bound, Saved: w.compared(d) - d.head,
		Pin: d.mode, Strategy: d.strategy, Takeovers: d.taken, Overlaps: d.overlaps, Records: d.records,
		Ordering: w.ordering, Moved: d.moved, WrittenPeak: d.peak,
		PlanBroken: w.broken, Faults: w.goal.Device.Rules().Faults(w.model),
		Notes: w.notes, Warnings: w.warnings, Interrupted: d.interrupted,
	}
}

// state returns the model's memory with the embedded plan, and its size.
func (w *improver) state() State {
	return State{w.arena.Figures, w.before.Outcome.Pinned, int64(len(w.model.Data))}
}

// compared returns the head in bytes to compare the new one with: the previous one, or the head
// without a plan if a broken plan is replaced, with which the model does not run.
func (w *improver) compared(d *decision) int64 {
	if w.broken && d.action != Kept {
		return w.online
	}
	return w.before.Outcome.Head
}
