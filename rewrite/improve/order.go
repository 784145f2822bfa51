package improve

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
)

// mend sorts the operators topologically if [Goal.Toposort] requests it.
func (w *improver) mend(start draft) (draft, error) {
	v, err := w.view(w.model)
	if err != nil {
		return draft{}, err
	}
	orders, why, err := reorder.Sorted(v)
	switch {
	case err != nil:
		return draft{}, &ModelError{err}
	case why == nil:
		return start, nil
	case !w.goal.Toposort:
		return draft{}, &DisorderError{why}
	}
	if w.foreign != "" && !w.goal.Force {
		return draft{}, &rewrite.RefusedError{Force: true, Reason: "the plan is another tool's (" + w.foreign + "), and would be lost with the order for which it was made"}
	}
	w.warn(Mended, fmt.Sprintf("%v; they are in a valid order now, and the model may compute something else", why))
	mended, err := w.mendAs(start, orders)
	if err != nil {
		return draft{}, err
	}
	return w.mendForLiteRT(start, mended, orders)
}

// mendAs applies a valid order to the original model.
func (w *improver) mendAs(start draft, orders [][]int) (draft, error) {
	r, err := rewrite.Reorder(start.base, orders, rewrite.Options{Force: w.goal.Force, Mend: true})
	if err != nil {
		return draft{}, err
	}
	start.mended = true
	return start.rebase(r, rules.MovedScratch(start.scratch, orders))
}

// reorder returns the draft in the order with the smallest required arena, and whether that
// differs from its own.
func (w *improver) reorder(ctx context.Context, start draft) (draft, bool, error) {
	share, cancel := w.share(ctx)
	defer cancel()
	v, err := w.view(start.base)
	if err != nil {
		return start, false, err
	}
	choice, err := reorder.Choose(share, v, reorder.Options{
		Scratch: start.scratch, Alias: w.goal.Alias,
		Online: w.goal.Remove, LargerLiteRT: w.goal.IgnoreLiteRT, WrongLiteRT: w.goal.IgnoreLiteRT,
	})
	if over(err) {
		w.note(Unordered, "no other order was planned, because the time was over")
		return start, false, nil
	}
	if err != nil {
		return start, false, err
	}
	w.ordering = choice.Ordering
	w.leftAside(start, choice)
	if !choice.Gains() && !choice.Mends {
		return start, false, nil
	}
	r, err := rewrite.Reorder(start.base, choice.Orders, rewrite.Options{Force: w.goal.Force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		kind := OrderRefused
		if refused.Force {
			kind = OrderUnforced
		}
		w.note(kind, fmt.Sprintf("another order would need a head of %s B, but %v", units.Number(choice.Arena), err))
		return start, false, nil
	}
	if err != nil {
		return start, false, err
	}
	start.moved, start.mends = reorder.Moved(choice.Orders), choice.Mends
	if choice.Breadth > choice.Peak {
		start.peak = choice.Breadth
	}
	next, err := start.rebase(r, rules.MovedScratch(start.scratch, choice.Orders))
	return next, true, err
}

// planReordered plans for another order than the draft's, whose plan is inFile. It returns nil
// if the required arena is no smaller.
func (w *improver) planReordered(ctx context.Context, start draft, inFile *pin.Choice) (*decision, error) {
	next, reordered, err := w.reorder(ctx, start)
	if err != nil || !reordered {
		return nil, err
	}
	choice, err := w.choose(ctx, next, w.goal.Pin)
	if err != nil {
		return nil, err
	}
	if worth, err := w.worth(ctx, start, next, choice.Offsets, nil, inFile.Offsets); !worth || err != nil {
		return nil, err
	}
	w.warnForeign()
	if choice.Offsets == nil {
		d, err := w.orderAlone(ctx, next)
		if err == nil {
			d.interrupted = choice.Interrupted
		}
		return d, err
	}
	d, err := w.embed(next, choice)
	if err == nil {
		d.bound = choice.Bound
	}
	return d, err
}

// orderOnly takes another order than the draft's, without a plan. It returns nil if the
// required arena is no smaller.
func (w *improver) orderOnly(ctx context.Context, start draft) (*decision, error) {
	next, reordered, err := w.reorder(ctx, start)
	if err != nil || !reordered {
		return nil, err
	}
	if worth, err := w.worth(ctx, start, next, nil, nil); !worth || err != nil {
		return nil, err
	}
	return w.orderAlone(ctx, next)
}

// orderAlone returns the decision for the new order without a plan.
func (w *improver) orderAlone(ctx context.Context, next draft) (*decision, error) {
	o, err := w.follow(ctx, next.base, nil, next.scratch)
	if err != nil {
		return nil, err
	}
	d := w.decide(next, Reordered, Note{OrderAlone, "the runtime's own planner plans the new order"})
	d.bound = alloc.LowerBound(alloc.Offsets, o.Records)
	d.head, d.fixed = o.Head, 0
	return d, nil
}
