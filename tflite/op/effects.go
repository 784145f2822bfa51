package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// HasEffects reports whether an operator has side effects or hidden inputs and must therefore
// run exactly once: control flow and other operators that run subgraphs, resources outside the
// tensors, random numbers, and custom operators, which are opaque. [Effects] determines which
// of them must keep their order.
func HasEffects(m *tflite.Model, o *tflite.Operator) bool {
	code := m.OperatorCodes[o.Code]
	if code.Custom != "" || code.Builtin == schema.BuiltinOperatorCUSTOM || len(o.Subgraphs) > 0 {
		return true
	}
	return builtins[code.Builtin].effects
}

// controlFlow runs subgraphs, whether or not the file names them correctly.
var controlFlow = facts{effects: true}

// elsewhere is code of another processor or library.
var elsewhere = facts{effects: true}

// resource creates, reads or writes a variable or a table outside the tensors.
var resource = facts{effects: true}
