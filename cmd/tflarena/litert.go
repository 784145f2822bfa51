package main

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// wrongInLiteRT returns what LiteRT, without a delegate, gets wrong with the operators in the
// order of the file: nothing where that is no valid order, in which it does not run at all.
func wrongInLiteRT(v *rules.View) []rules.Hazard {
	for s := range v.Graph.Subgraphs {
		if order.Check(&v.Graph.Subgraphs[s]) != nil {
			return nil
		}
	}
	return rules.Overwritten(v.Model)
}

// fileWarnings warns of what [wrongInLiteRT] returns, and says what to do.
func fileWarnings(v *rules.View) []string {
	wrong := wrongInLiteRT(v)
	if len(wrong) == 0 {
		return nil
	}
	hint := "no other order of the operators is right either"
	if _, ok := reorder.Careful(v); ok {
		hint = "rewrite --reorder takes another order where that costs no memory"
	}
	return []string{litertWarning(v.Model, wrong, "in the order of the file") + "; " + hint}
}

// litertWarning says what LiteRT gets wrong, and where: in which order.
func litertWarning(m *tflite.Model, wrong []rules.Hazard, where string) string {
	more := ""
	if n := len(wrong) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more reads like that)", n)
	}
	return fmt.Sprintf("%s, LiteRT without a delegate computes something else than the model says: %s%s", where, wrong[0].Describe(m), more)
}

// leftAside says which better orders were not taken for the sake of LiteRT.
func (w *rewriting) leftAside(choice *reorder.Choice) (notes []string) {
	if choice.Passed > 0 && choice.Passed < choice.Arena {
		notes = append(notes, fmt.Sprintf(
			"an order with a head of %s B is left aside, since LiteRT's own planner would need more memory in it than in the file's: --ignore-litert takes it",
			units.Exact(choice.Passed)))
	}
	if choice.Wrong > 0 && choice.Wrong < choice.Arena {
		notes = append(notes, fmt.Sprintf(
			"an order with a head of %s B is left aside, since LiteRT without a delegate would compute something else in it: %s; --ignore-litert takes it",
			units.Exact(choice.Wrong), choice.Hazard.Describe(w.base)))
	}
	return notes
}

// mendForLiteRT takes another valid order than orders, where LiteRT computes something else
// in that one and there is one in which it does not.
func (w *rewriting) mendForLiteRT(orders [][]int) error {
	v, err := microView(w.base)
	if err != nil || len(wrongInLiteRT(v)) == 0 {
		return err
	}
	careful, ok := reorder.Careful(v)
	if !ok {
		return nil // a warning follows
	}
	w.report.Changes, w.report.ShiftBytes = []string{}, 0
	return w.mendAs(reorder.Compose(orders, careful))
}

// checkLiteRT proves that LiteRT runs the new file right where its operators have new
// places, and says so where it does not, or did not before.
func (w *rewriting) checkLiteRT(m *tflite.Model) error {
	v, err := microView(m)
	if err != nil {
		return err
	}
	wrong := wrongInLiteRT(v)
	moved := w.mended || w.report.OperatorsMoved > 0
	switch {
	case len(wrong) == 0 && len(w.wrong) > 0 && moved:
		w.report.Notes = append(w.report.Notes, "in the new order LiteRT computes what the model says")
	case len(wrong) == 0 || !moved:
	case w.c.Bool("ignore-litert"), w.mended:
		w.report.Warnings = append(w.report.Warnings, litertWarning(m, wrong, "in the new order"))
	default:
		return fmt.Errorf("LiteRT would run the new order wrong: %s", wrong[0].Describe(m))
	}
	return nil
}
