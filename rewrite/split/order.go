package split

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// disorder says what is wrong with the place of an operator in the file, "" when nothing
// is: all it reads is made before it, and what it makes has no source before it. Nothing
// in the format asks for that, and a geometry relies on it: what reads a value comes
// behind what makes it, and a value is the same wherever it is read.
func (d *describer) disorder(op *tflite.Operator) string {
	for position, t := range op.Inputs {
		if t >= 0 && d.sub.Tensors[t].Producer >= op.Index {
			return fmt.Sprintf("its input %d is not made before it", position)
		}
	}
	for _, t := range op.Outputs {
		if t >= 0 && d.sub.Tensors[t].Producer < op.Index {
			return "its output has another source"
		}
	}
	return ""
}
