package improve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// plan decides between the existing plan, a new one and none.
func (w *improver) plan(ctx context.Context, start draft) (*decision, error) {
	if w.foreign != "" && !w.goal.Force {
		return w.keep(Note{ForeignStays, "the plan is another tool's: " + w.foreign}), nil
	}
	mode := w.goal.Pin
	choice, err := w.choose(ctx, start, mode)
	if err != nil {
		return nil, err
	}
	if w.goal.Reorder {
		d, err := w.planReordered(ctx, start, choice)
		if over(err) {
			choice.Interrupted, err = true, nil // the plan for the file's order is the best so far
		}
		if d == nil && err == nil {
			d, err = w.idle(ctx, start, choice)
		}
		if d != nil || err != nil {
			return d, err
		}
	}
	if choice.Offsets == nil && w.foreign != "" {
		// Forcing a plan out implies replacing it.
		mode = pin.All
		if choice, err = w.choose(ctx, start, mode); err != nil {
			return nil, err
		}
	}
	d, err := w.compare(ctx, start, choice)
	if err == nil {
		d.mode, d.interrupted = mode, choice.Interrupted
	}
	return d, err
}

// compare decides between the existing plan and a choice for the draft's order.
func (w *improver) compare(ctx context.Context, start draft, choice *pin.Choice) (*decision, error) {
	w.warnForeign()
	sound := w.before.Followed() && w.foreign == "" && !w.broken && !start.mended
	head := w.before.Outcome.Head
	switch {
	case sound && (head < choice.Head || head == choice.Head && choice.Offsets == nil):
		w.noteKernels(choice)
		return w.keep(Note{NoBetterPlan, fmt.Sprintf("%s is better than the one in the model, %s B", w.noPlan(), units.Number(head))}), nil
	case choice.Offsets != nil:
		return w.embed(start, choice)
	case start.mended:
		return w.orderAlone(ctx, start)
	case w.before.Problem != nil:
		return w.remove(start, Note{NotFollowed, "the runtime could not follow it"}, choice.Own)
	case w.broken:
		was := "broken"
		if w.before.ForOthers() {
			was = "for other kernels"
		}
		return w.remove(start, Note{WasBroken, fmt.Sprintf("it was %s, and %s is better than what the runtime's own planner makes", was, w.noPlan())}, choice.Own)
	case w.before.Plan != nil:
		return w.remove(start, Note{NotNeeded, "without a plan the runtime does as well or better"}, choice.Own)
	}
	return w.leave(w.nothing(choice)), nil
}

// noteKernels adds a note if the existing plan stays and shares memory in a way that was not
// requested and that is valid only for some kernels.
func (w *improver) noteKernels(choice *pin.Choice) {
	marker, err := rewrite.ReadMarker(w.model)
	if err != nil || marker == nil || marker.Alias == string(w.goal.Alias) {
		return
	}
	w.note(ForKernels, fmt.Sprintf("the plan that stays is right with the %s kernels only, since outputs are written over inputs while they are read: without that, the head is %s B",
		rules.OfMarker(marker.Kernels), units.Number(choice.Head)))
}

// nothing returns the reason why there is nothing to gain.
func (w *improver) nothing(choice *pin.Choice) Note {
	if choice.Own == choice.Bound {
		return Note{AtBound, fmt.Sprintf("nothing to gain: the runtime's own planner reaches the lower bound, %s B", units.Number(choice.Own))}
	}
	return Note{NoPlanHelps, fmt.Sprintf("nothing to gain: %s is better than what the runtime's own planner makes, %s B", w.noPlan(), units.Number(choice.Own))}
}

// noPlan names, for the beginning of a sentence, the failed attempts.
func (w *improver) noPlan() string {
	if s := w.goal.Strategy; s != "" {
		return "no plan by " + s
	}
	return "no plan that was found"
}

// warnForeign warns that the plan of another tool is removed.
func (w *improver) warnForeign() {
	if w.foreign != "" {
		w.warn(ForeignLost, embedded.ForeignGoes(w.foreign))
	}
}

// takeOut removes the plan, as [Goal.Remove] requests. Another tool's plan, which only that
// tool can recreate, is removed without a gain only if forced.
func (w *improver) takeOut(ctx context.Context, start draft) (*decision, error) {
	if before := w.before.Outcome.Head; w.foreign != "" && w.online > before && !w.goal.Force {
		return nil, &rewrite.RefusedError{Force: true, Reason: fmt.Sprintf(
			"the plan is another tool's (%s); only that tool can make it again, and without it the head grows from %s B to %s B",
			w.foreign, units.Number(before), units.Number(w.online))}
	}
	if w.goal.Reorder {
		if d, err := w.planReordered(ctx, start, nil); d != nil || err != nil {
			return d, err
		}
	}
	w.warnForeign()
	if start.mended {
		return w.orderAlone(ctx, start) // the plan was removed with the old order
	}
	return w.remove(start, Note{}, w.online)
}

// choose plans for the draft's order.
func (w *improver) choose(ctx context.Context, d draft, mode pin.Mode) (*pin.Choice, error) {
	share, cancel := w.share(ctx)
	defer cancel()
	v, err := w.view(d.base)
	if err != nil {
		return nil, err
	}
	o := pin.Options{Mode: mode, Scratch: d.scratch, Strategy: w.goal.Strategy, Alias: w.goal.Alias}
	choice, err := pin.Choose(share, v, o)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		choice, err = pin.Choose(ctx, v, o) // any plan takes priority over another order
	}
	return choice, err
}

// share returns a context that ends after one search's share of the time: a deadline applies to
// all searches, and each leaves its unused time to later ones.
func (w *improver) share(ctx context.Context) (context.Context, context.CancelFunc) {
	const orderings = 4 // a plan in the order of the file, orders, and plans in two of them
	searches := 1
	if w.goal.Reorder && !w.goal.Remove {
		searches = max(orderings-w.searched, 1)
	}
	w.searched++
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(searches))
}
