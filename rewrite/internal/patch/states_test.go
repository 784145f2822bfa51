package patch

import (
	"testing"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// What is known of operators here is what package op knows, though neither asks the other.
func TestStatefulOperators(t *testing.T) {
	n := 0
	for code := range schema.EnumNamesBuiltinOperator {
		m := &tflite.Model{OperatorCodes: []tflite.OperatorCode{{Builtin: code}}}
		if want := op.HasEffects(m, &tflite.Operator{}); stateful[code] != want {
			t.Errorf("%v: %v, want %v", code, stateful[code], want)
		} else if want {
			n++
		}
	}
	if n != len(stateful) {
		t.Errorf("%d operators are listed, %d exist", len(stateful), n)
	}
}
