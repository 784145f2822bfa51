package split

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// orderProblem returns what is wrong with an operator's position in the file, or "": everything it
// reads must be computed before it, and its outputs must have no earlier source. The format
// does not require this, but a geometry relies on it: readers of a value follow its producer,
// and a value is the same for all readers.
func (d *describer) orderProblem(op *tflite.Operator) string {
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
