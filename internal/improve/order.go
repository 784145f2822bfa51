package improve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
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

// reorder returns drafts in other orders, which may have a smaller required arena than the draft's. Its own plan needs a
// head of own bytes; zero if there is none.
func (w *improver) reorder(ctx context.Context, start draft, own int64) ([]draft, error) {
	share, cancel := w.share(ctx)
	defer cancel()
	v, err := w.view(start.base)
	if err != nil {
		return nil, err
	}
	choice, err := reorder.Choose(share, v, reorder.Options{
		Scratch: start.scratch, Alias: w.goal.Alias, Own: own,
		Online: w.goal.Remove, LargerLiteRT: w.goal.IgnoreLiteRT, WrongLiteRT: w.goal.IgnoreLiteRT,
	})
	if over(err) {
		w.note(Unordered, "no other order was planned, because the time was over")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w.ordering = choice.Ordering
	w.leftAside(start, choice)
	var orders []*schedule.Choice
	if choice.Gains() || choice.Mends {
		orders = append(orders, choice.Choice)
	}
	if choice.Plain != nil {
		orders = append(orders, choice.Plain)
	}
	var drafts []draft
	for _, c := range orders {
		next, err := w.reordered(start, c)
		if next == nil || err != nil {
			return nil, err
		}
		next.mends = choice.Mends && c == choice.Choice
		drafts = append(drafts, *next)
	}
	return drafts, nil
}

// reordered returns a draft in other orders, or nil with a note if the rewriter refuses.
func (w *improver) reordered(start draft, choice *schedule.Choice) (*draft, error) {
	r, err := rewrite.Reorder(start.base, choice.Orders, rewrite.Options{Force: w.goal.Force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		kind := OrderRefused
		if refused.Force {
			kind = OrderUnforced
		}
		w.note(kind, fmt.Sprintf("another order would need a head of %s B, but %v", units.Number(choice.Arena), err))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	start.moved = reorder.Moved(choice.Orders)
	if choice.Breadth > choice.Peak {
		start.peak = choice.Breadth
	}
	next, err := start.rebase(r, rules.MovedScratch(start.scratch, choice.Orders))
	return &next, err
}

// planReordered plans for other orders than the draft's, whose plan is inFile; without one, the other orders get none
// either. It returns nil if the required arena is no smaller.
func (w *improver) planReordered(ctx context.Context, start draft, inFile *pin.Choice) (*decision, error) {
	var own int64
	others := [][]int32{nil}
	if inFile != nil {
		own, others = inFile.Head, append(others, inFile.Offsets)
	}
	drafts, err := w.reorder(ctx, start, own)
	if err != nil || len(drafts) == 0 {
		return nil, err
	}
	var best *pin.Choice
	var in draft
	var arenas []rules.Arena
	least := int64(math.MaxInt64)
	for _, next := range drafts {
		choice := &pin.Choice{}
		if inFile != nil {
			choice, err = w.choose(ctx, next, w.goal.Pin)
		}
		if over(err) && best != nil {
			best.Interrupted = true
			break
		}
		if err != nil {
			return nil, err
		}
		arena, worth, err := w.worth(ctx, start, next, choice.Offsets, others)
		if err != nil {
			return nil, err
		}
		if arenas = append(arenas, arena); worth && arena.Required < least {
			best, in, least = choice, next, arena.Required
		}
	}
	if best == nil {
		w.noteNoSmaller(arenas[0])
		return nil, nil
	}
	w.warnForeign()
	if best.Offsets == nil {
		d, err := w.orderAlone(ctx, in)
		if err == nil {
			d.interrupted = best.Interrupted
		}
		return d, err
	}
	d, err := w.embed(in, best)
	if err == nil {
		d.bound = best.Bound
	}
	return d, err
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
