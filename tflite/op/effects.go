package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// HasEffects reports whether an operator does, or depends on, more than its tensors show, so
// that it must run once: control flow and whatever else runs subgraphs, resources that live
// beside the tensors, random numbers, and custom operators, of which nothing is known. Which of
// them have to keep their order follows from [Effects].
func HasEffects(m *tflite.Model, o *tflite.Operator) bool {
	code := m.OperatorCodes[o.Code]
	if code.Custom != "" || code.Builtin == schema.BuiltinOperatorCUSTOM || len(o.Subgraphs) > 0 {
		return true
	}
	return builtins[code.Builtin].effects
}

// controlFlow runs subgraphs, whether or not the file names them rightly.
var controlFlow = facts{effects: true}

// elsewhere is code of another processor or of another library.
var elsewhere = facts{effects: true}

// resource makes, reads or writes a variable or a table that lives beside the tensors.
var resource = facts{effects: true}
