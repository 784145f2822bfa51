package embedded

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// StillRuns looks at a model that is about to be written: it may have no fault with the kernels of a
// library that the model it was made of does not have.
func StillRuns(before, after *tflite.Model, kernels string) error {
	if list := rules.Introduced(rules.Faults(before, kernels), rules.Faults(after, kernels)); len(list) > 0 {
		return fmt.Errorf("TensorFlow Lite Micro would not run the new model correctly: %v", list[0])
	}
	return nil
}
