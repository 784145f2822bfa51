package improve

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// leftAside adds notes about orders better than the draft's that were rejected because of
// LiteRT.
func (w *improver) leftAside(start draft, choice *reorder.Choice) {
	if choice.Passed > 0 && choice.Passed < choice.Arena {
		w.note(LargerInLiteRT, fmt.Sprintf(
			"an order with a head of %s B is not taken, because LiteRT's tensor arena would be larger with it than with the order of the file",
			units.Number(choice.Passed)))
	}
	if choice.Wrong > 0 && choice.Wrong < choice.Arena {
		w.note(WrongIfOrdered, fmt.Sprintf(
			"an order with a head of %s B is not taken, because LiteRT without a delegate would compute other results with it: %s",
			units.Number(choice.Wrong), choice.Hazard.Describe(start.base)))
	}
}

// mendForLiteRT replaces the orders of mended by valid ones in which LiteRT computes correct
// results, if the former give wrong results and such orders exist.
func (w *improver) mendForLiteRT(start, mended draft, orders [][]int) (draft, error) {
	v, err := w.view(mended.base)
	if err != nil || len(embedded.WrongInLiteRT(v)) == 0 {
		return mended, err
	}
	careful, ok := reorder.Careful(v)
	if !ok {
		return mended, nil // a warning follows
	}
	return w.mendAs(start, reorder.Compose(orders, careful))
}

// checkLiteRT checks that LiteRT runs a reordered file correctly, and adds notes or warnings if
// it does not, or did not before.
func (w *improver) checkLiteRT(d *decision, m *tflite.Model) error {
	v, err := w.view(m)
	if err != nil {
		return err
	}
	wrong := embedded.WrongInLiteRT(v)
	moved := d.mended || d.moved > 0
	switch {
	case len(wrong) == 0 && len(w.wrong) > 0 && moved:
		w.note(RightInLiteRT, "in the new order LiteRT computes what the model says")
	case len(wrong) == 0 || !moved:
	case w.goal.IgnoreLiteRT, d.mended:
		w.warn(StillWrong, embedded.Misread(m, wrong, "in the new order"))
	default:
		return fmt.Errorf("LiteRT would compute wrong results in the new order: %s", wrong[0].Describe(m))
	}
	return nil
}
