package embedded

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// WrongInLiteRT returns the hazards of LiteRT, without a delegate, with the operators in the order of
// the file; none for an invalid order, which does not run at all.
func WrongInLiteRT(v *rules.View) []rules.Hazard {
	for s := range v.Graph.Subgraphs {
		if order.Check(&v.Graph.Subgraphs[s]) != nil {
			return nil
		}
	}
	return rules.Overwritten(v.Model)
}

// LiteRTWarning warns of the result of [WrongInLiteRT], "" if it is empty. It reports whether another
// order of the operators is right.
func LiteRTWarning(v *rules.View, wrong []rules.Hazard) (text string, mendable bool) {
	if len(wrong) == 0 {
		return "", false
	}
	text = Misread(v.Model, wrong, "in the order of the file")
	if _, ok := reorder.Careful(v); ok {
		return text, true
	}
	return text + "; no other order of the operators is right either", false
}

// Misread describes the hazards of LiteRT in an order.
func Misread(m *tflite.Model, wrong []rules.Hazard, where string) string {
	more := ""
	if n := len(wrong) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more reads like that)", n)
	}
	return fmt.Sprintf("%s, LiteRT without a delegate computes other results than the model describes: %s%s", where, wrong[0].Describe(m), more)
}
