package results

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An OlderRuntime is what a TensorFlow Lite Micro built before a day makes of a model whose control flow
// it does not see.
type OlderRuntime struct {
	// Day on which TensorFlow Lite Micro began to see that control flow, as YYYY-MM-DD.
	Before string `json:"before"`
	rules.Figures
	// Whether AllocateTensors crashes, because an operator that this runtime does not find requests scratch.
	Crashes bool `json:"crashes"`
}

// NewOlderRuntime returns what an older runtime makes of a model, nil where it makes the same of it as
// the newest: o is nil then, or its figures are equal to those given.
func NewOlderRuntime(o *embedded.Older, newest rules.Figures) *OlderRuntime {
	if o == nil || !o.Crashes && reflect.DeepEqual(o.Arena.Stated(), newest) {
		return nil
	}
	return &OlderRuntime{Before: rules.OlderMicroUntil, Figures: o.Arena.Stated(), Crashes: o.Crashes}
}

// older writes a line about an older runtime, if there is any.
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

// Warn returns a warning where an older runtime fails a limit for the required arena or the head, in
// bytes, that the newest keeps.
func (o *OlderRuntime) Warn(budgets []Budget) []Note {
	if o == nil || !o.Known() && !o.Crashes {
		return nil
	}
	for _, b := range budgets {
		actual := map[string]int64{"arena": o.Required, "head": o.Head}[b.Name]
		if b.Pass && (o.Crashes || actual > b.LimitBytes) {
			return Notes(WarnOlder, []string{"older TensorFlow Lite Micro fails the budget: " + o.text(Style{})})
		}
	}
	return nil
}
