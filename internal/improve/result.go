package improve

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// decision is the change to make, and its promised head.
type decision struct {
	draft
	action Action
	reason Note
	// mode and strategy describe how the plan was made; interrupted reports that time ran out.
	mode        pin.Mode
	strategy    string
	interrupted bool
	// head is the file's head, with fixed tensors fixed; bound is a lower bound for all plans.
	head, bound int64
	fixed       int
	taken       []lifetime.Takeover
	overlaps    []lifetime.Overlap
	records     []lifetime.Record
}

// decide returns a decision with the figures of the unmodified model.
func (w *improver) decide(d draft, a Action, reason Note) *decision {
	return &decision{
		draft: d, action: a, reason: reason, mode: w.goal.Pin,
		head: w.before.Outcome.Head, bound: w.bound, fixed: w.before.Outcome.Pinned,
	}
}

// keep keeps the model unmodified.
func (w *improver) keep(reason Note) *decision { return w.decide(w.asItIs(), Kept, reason) }

// leave keeps the model unmodified, with its plan, if any.
func (w *improver) leave(reason Note) *decision {
	d := w.keep(reason)
	if w.before.Plan == nil {
		d.action = Copied
	}
	return d
}

// embed writes a plan into a draft.
func (w *improver) embed(start draft, choice *pin.Choice) (*decision, error) {
	o := rewrite.Options{Force: w.goal.Force}
	if len(choice.Overlaps) > 0 {
		o.Marker = rewrite.OverlapMarker(string(w.goal.Alias), w.goal.Device.Kernels)
	}
	r, err := rewrite.Embed(start.base, choice.Offsets, o)
	if err != nil {
		return nil, err
	}
	d := w.decide(start.take(r), Embedded, Note{})
	d.strategy, d.interrupted = choice.Strategy, choice.Interrupted
	d.head, d.fixed = choice.Head, choice.Pinned
	d.taken, d.overlaps, d.records = choice.Taken, choice.Overlaps, choice.Records
	if len(choice.Taken) > 0 || len(choice.Overlaps) > 0 {
		d.bound = choice.Bound
	}
	if len(choice.Overlaps) > 0 {
		w.note(WritesOver, fmt.Sprintf("outputs that are written over an input that the kernel still reads: %d; the lower bound is for plans with such outputs", len(choice.Overlaps)))
	}
	if len(choice.Taken) > 0 {
		w.note(TakesOver, fmt.Sprintf("outputs that take over an input's memory: %d, and the lower bound is that of a plan in which they do", len(choice.Taken)))
	}
	if r.Method == rewrite.Unchanged {
		d.reason = Note{SamePlan, "the model has this plan already"}
	}
	return d, nil
}

// remove removes the plan; head is the head without it, in bytes.
func (w *improver) remove(start draft, reason Note, head int64) (*decision, error) {
	r, err := rewrite.Remove(start.base, rewrite.Options{Force: w.goal.Force})
	if err != nil {
		return nil, err
	}
	d := w.decide(start.take(r), Removed, reason)
	d.head, d.fixed = head, 0
	if r.Method == rewrite.Unchanged {
		d.action, d.reason = Copied, Note{NoPlan, "the model carries no plan"}
	}
	return d, nil
}
