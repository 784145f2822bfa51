package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// mend puts the operators in an order in which nothing is read before it is made, where
// --toposort asks for that.
func (w *rewriting) mend() error {
	v, err := microView(w.model)
	if err != nil {
		return err
	}
	orders, why, err := reorder.Sorted(v)
	switch {
	case err != nil:
		return invalidError{err}
	case why == nil:
		return nil
	case !w.c.Bool("toposort"):
		return invalidError{fmt.Errorf("the operators are in no valid order: %w; --toposort puts them in one, in which the model may compute something else", why)}
	}
	if foreign := w.foreign(); foreign != "" && !w.c.Bool("force") {
		return hint(&rewrite.RefusedError{Force: true, Reason: "the plan is another tool's (" + foreign + "), and would go with the order it was made for"})
	}
	w.mended = true
	w.report.Warnings = append(w.report.Warnings, fmt.Sprintf("%v; that is mended, and the model may compute something else", why))
	if err := w.mendAs(orders); err != nil {
		return err
	}
	return w.mendForLiteRT(orders)
}

// mendAs puts the operators of the model into a valid order.
func (w *rewriting) mendAs(orders [][]int) error {
	r, err := rewrite.Reorder(w.model, orders, rewrite.Options{Force: w.c.Bool("force"), Mend: true})
	if err != nil {
		return hint(err)
	}
	return w.rebase(r, rules.MovedScratch(w.own, orders))
}

// rebase goes on with a file whose operators have changed places, and their scratch with them.
func (w *rewriting) rebase(r *rewrite.Result, scratch []rules.Request) error {
	base, err := tflite.Parse(r.Data, w.model.Name)
	if err != nil {
		return err
	}
	w.base, w.scratch = base, scratch
	w.take(r)
	return nil
}

// reorder goes on with a file whose operators are in the order of the smallest arena, if
// that is not the file's own. It returns whether it does.
func (w *rewriting) reorder() (bool, error) {
	ctx, cancel := w.share()
	defer cancel()
	v, err := microView(w.base)
	if err != nil {
		return false, err
	}
	choice, err := reorder.Choose(ctx, v, reorder.Options{
		Scratch: w.scratch, Alias: rules.Alias(w.c.String("alias")),
		Online: w.c.Bool("remove"), LargerLiteRT: w.c.Bool("ignore-litert"), WrongLiteRT: w.c.Bool("ignore-litert"),
	})
	if errors.Is(err, context.DeadlineExceeded) && w.c.Context.Err() == nil {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf("no other order was planned for: --time-limit %s was reached before", w.c.Duration("time-limit")))
		return false, nil
	}
	if err != nil {
		return false, solveError(w.c, v.Records(), err)
	}
	w.report.Order = results.NewOrder(choice.Ordering)
	w.report.Notes = append(w.report.Notes, w.leftAside(choice)...)
	if !choice.Gains() && !choice.Mends {
		return false, nil
	}
	r, err := rewrite.Reorder(w.base, choice.Orders, rewrite.Options{Force: w.c.Bool("force")})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf("another order would need a head of %s B, but %v", units.Exact(choice.Arena), hint(err)))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	w.report.OperatorsMoved, w.mends = reorder.Moved(choice.Orders), choice.Mends
	if choice.Breadth > choice.Peak {
		w.report.Order.WrittenPeakBytes = choice.Breadth
	}
	return true, w.rebase(r, rules.MovedScratch(w.scratch, choice.Orders))
}

// planReordered plans for another order than the file's, for which there is the plan
// inFile, and goes on with it where the smallest arena is smaller. It returns whether it does.
func (w *rewriting) planReordered(inFile *pin.Choice) (bool, error) {
	mark := w.mark()
	reordered, err := w.reorder()
	if err != nil || !reordered {
		return false, err
	}
	choice, err := w.choose(pin.Mode(w.c.String("pin")))
	if limit := (*limitError)(nil); errors.As(err, &limit) {
		mark.report.Interrupted = true
		w.back(mark)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if worth, err := w.worth(mark, choice.Offsets, nil, inFile.Offsets); !worth || err != nil {
		return false, err
	}
	w.report.LowerBoundBytes = choice.Bound
	if choice.Offsets != nil {
		return true, w.embed(choice)
	}
	return true, w.orderAlone()
}

// orderOnly takes another order, and no plan, where the smallest arena is smaller than in the
// file's order. It returns whether it does.
func (w *rewriting) orderOnly() (bool, error) {
	mark := w.mark()
	reordered, err := w.reorder()
	if err != nil || !reordered {
		return false, err
	}
	if worth, err := w.worth(mark, nil, nil); !worth || err != nil {
		return false, err
	}
	return true, w.orderAlone()
}

// worth reports whether the new order, under a plan, needs a smaller arena than the order at
// a mark under each of others, or as large a one where it mends that. If not it goes back to
// the mark, with a note.
func (w *rewriting) worth(m mark, offsets []int32, others ...[]int32) (bool, error) {
	arena, err := w.arenaUnder(w.base, offsets, w.scratch)
	if err != nil {
		return false, err
	}
	least := int64(math.MaxInt64)
	if !w.c.Bool("remove") && w.before.followed() && !w.report.PlanBroken && !w.mended {
		least = w.report.SmallestArenaBeforeBytes
	}
	for _, other := range others {
		old, err := w.arenaUnder(m.base, other, m.scratch)
		if err != nil {
			return false, err
		}
		least = min(least, old.Smallest)
	}
	if arena.Smallest < least || arena.Smallest == least && w.mends {
		return true, nil
	}
	w.back(m)
	if arena.Head < m.report.HeadBeforeBytes {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf(
			"another order has a head of %s B, but its smallest arena is no smaller, %s B: most is needed when %s",
			units.Exact(arena.Head), units.Exact(arena.Smallest), arena.Decides))
	}
	return false, nil
}

// arenaUnder returns what the arena of a model with some scratch holds under a plan, nil for
// none.
func (w *rewriting) arenaUnder(m *tflite.Model, offsets []int32, scratch []rules.Request) (rules.Arena, error) {
	o, err := pin.Follow(w.c.Context, m, offsets, scratch)
	if err != nil {
		return rules.Arena{}, err
	}
	return o.Arena(w.target), nil
}

// A mark is a state to go back to.
type mark struct {
	data    []byte
	base    *tflite.Model
	scratch []rules.Request
	report  results.Rewrite
}

func (w *rewriting) mark() mark {
	return mark{data: w.data, base: w.base, scratch: w.scratch, report: *w.report}
}

// back leaves the order that was tried, and keeps what was found out about it.
func (w *rewriting) back(m mark) {
	w.report.Order.WrittenPeakBytes = 0
	m.report.Order, m.report.Notes = w.report.Order, w.report.Notes
	w.data, w.base, w.scratch, *w.report = m.data, m.base, m.scratch, m.report
}

// idle says why a plan for the file's order gains nothing although the head is smaller, ""
// where it gains something or has to be written for another reason.
func (w *rewriting) idle(choice *pin.Choice, foreign string) (string, error) {
	if choice.Offsets == nil || foreign != "" || w.mended || w.report.PlanBroken || w.before.problem != nil {
		return "", nil
	}
	arena, err := w.arenaUnder(w.base, choice.Offsets, w.scratch)
	if err != nil || arena.Smallest < w.report.SmallestArenaBeforeBytes {
		return "", err
	}
	return fmt.Sprintf("nothing to gain: a head of %s B is possible, but the smallest arena stays at %s B: most is needed when %s",
		units.Exact(choice.Head), units.Exact(w.report.SmallestArenaBeforeBytes), arena.Decides), nil
}

// orderAlone ends with the operators in their new order, and no plan.
func (w *rewriting) orderAlone() error {
	o, err := pin.Follow(w.c.Context, w.base, nil, w.scratch)
	if err != nil {
		return err
	}
	w.report.Action, w.report.Strategy = results.Reordered, ""
	w.report.Reason = "the runtime's own planner plans the new order"
	w.report.LowerBoundBytes = alloc.LowerBound(alloc.Offsets, o.Records)
	w.report.HeadAfterBytes, w.report.TensorsFixed = o.Head, 0
	return nil
}
