package embedded

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// StillRuns returns an error if a new model has a fault on a target that the original lacks.
func StillRuns(before, after *tflite.Model, device rules.Device) error {
	r := device.Rules()
	if list := rules.Introduced(r.Faults(before), r.Faults(after)); len(list) > 0 {
		return fmt.Errorf("TensorFlow Lite Micro would not run the new model correctly: %v", list[0])
	}
	return nil
}
