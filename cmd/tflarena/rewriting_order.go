package main

import (
	"context"
	"errors"
	"fmt"

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
	r, err := rewrite.Reorder(w.model, orders, rewrite.Options{Force: w.c.Bool("force"), Mend: true})
	if err != nil {
		return hint(err)
	}
	w.mended = true
	w.report.Warnings = append(w.report.Warnings, fmt.Sprintf("%v; that is mended, and the model may compute something else", why))
	return w.rebase(r)
}

// rebase goes on with a file whose operators have changed places.
func (w *rewriting) rebase(r *rewrite.Result) (err error) {
	if w.base, err = tflite.Parse(r.Data, w.model.Name); err == nil {
		w.take(r)
	}
	return err
}

// reorder goes on with a file whose operators are in the order of the smallest arena, if
// that is not the file's own. It returns whether it does.
func (w *rewriting) reorder() (bool, error) {
	ctx, cancel, err := limited(w.c)
	if err != nil {
		return false, err
	}
	defer cancel()
	v, err := microView(w.base)
	if err != nil {
		return false, err
	}
	choice, err := reorder.Choose(ctx, v, reorder.Options{
		Scratch: w.scratch, Alias: rules.Alias(w.c.String("alias")),
		Online: w.c.Bool("remove"), IgnoreLiteRT: w.c.Bool("ignore-litert"),
	})
	if errors.Is(err, context.DeadlineExceeded) && w.c.Context.Err() == nil {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf("no other order was planned for: --time-limit %s was reached before", w.c.Duration("time-limit")))
		return false, nil
	}
	if err != nil {
		return false, solveError(w.c, v.Records(), err)
	}
	w.report.Order = results.NewOrder(choice.Ordering)
	if choice.Passed > 0 && choice.Passed < choice.Arena {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf(
			"an order with an arena of %s B is left aside, since LiteRT's own planner would need more memory in it than in the file's: --ignore-litert takes it",
			units.Exact(choice.Passed)))
	}
	if !choice.Gains() {
		return false, nil
	}
	r, err := rewrite.Reorder(w.base, choice.Orders, rewrite.Options{Force: w.c.Bool("force")})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		w.report.Notes = append(w.report.Notes, fmt.Sprintf("another order would need an arena of %s B, but %v", units.Exact(choice.Arena), hint(err)))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	w.report.OperatorsMoved = reorder.Moved(choice.Orders)
	if choice.Breadth > choice.Peak {
		w.report.Order.WrittenPeakBytes = choice.Breadth
	}
	return true, w.rebase(r)
}

// planReordered plans for another order than the file's, in which the head is inFile, and
// keeps the better one. It returns whether that is the other.
func (w *rewriting) planReordered(inFile int64) (bool, error) {
	least := w.before.outcome.Head
	if !w.before.followed() || w.report.PlanBroken || w.mended {
		least = w.report.OnlineBytes
	}
	least = min(least, inFile)
	data, base, report := w.data, w.base, *w.report
	reordered, err := w.reorder()
	if err != nil || !reordered {
		return false, err
	}
	choice, err := w.choose(pin.Mode(w.c.String("pin")))
	limit := (*limitError)(nil)
	if err != nil && !errors.As(err, &limit) {
		return false, err
	}
	if err != nil || choice.Head >= least {
		w.report.Order.WrittenPeakBytes = 0
		report.Order, report.Notes, report.Interrupted = w.report.Order, w.report.Notes, report.Interrupted || err != nil
		w.data, w.base, *w.report = data, base, report
		return false, nil
	}
	w.report.LowerBoundBytes = choice.Bound
	if choice.Offsets != nil {
		return true, w.embed(choice)
	}
	return true, w.orderAlone()
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
