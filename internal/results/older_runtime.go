package results

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An OlderRuntime is a model in a TensorFlow Lite Micro of before a date, which does not see its
// control flow.
type OlderRuntime struct {
	// Day on which TensorFlow Lite Micro began to see that control flow, as YYYY-MM-DD.
	Before string `json:"before"`
	rules.Figures
	// Whether AllocateTensors crashes, because an operator that this runtime does not find requests scratch.
	Crashes bool `json:"crashes"`
}

// NewOlderRuntime returns the figures of an older runtime, nil if they equal the newest runtime's or o
// is nil.
func NewOlderRuntime(o *embedded.Older, newest rules.Figures) *OlderRuntime {
	if o == nil || !o.Crashes && reflect.DeepEqual(o.Arena.Stated(), newest) {
		return nil
	}
	return &OlderRuntime{Before: rules.OlderMicroUntil, Figures: o.Arena.Stated(), Crashes: o.Crashes}
}

// older writes a line about an older runtime, if any.
func (s Style) older(b *strings.Builder, o *OlderRuntime) {
	if o != nil {
		s.line(b, "older TFLM", o.text(s)+"; 'tflarena rewrite' fills the new field")
	}
}

func (o *OlderRuntime) text(s Style) string {
	result := "required arena " + s.bytes(o.Required)
	if !o.Known() {
		result = "an arena that is not known"
	}
	if o.Crashes {
		result = "AllocateTensors crashes"
	}
	return fmt.Sprintf("%s before %s (tflite-micro #3698), which does not follow IF and WHILE whose code is only in the deprecated field", result, o.Before)
}

// Warn returns a warning if an older runtime exceeds a budget for the required arena or the head, in
// bytes, that the newest meets.
func (o *OlderRuntime) Warn(budgets []Budget) []Note {
	if o == nil || !o.Known() && !o.Crashes {
		return nil
	}
	for _, b := range budgets {
		actual := map[BudgetName]int64{BudgetArena: o.Required, BudgetHead: o.Head}[b.Name]
		if b.Pass && (o.Crashes || actual > b.LimitBytes) {
			return Notes(WarnOlder, []string{"older TensorFlow Lite Micro fails the budget: " + o.text(Style{})})
		}
	}
	return nil
}
