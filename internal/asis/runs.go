package asis

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// StillRuns looks at a model that is about to be written: what ran before must run. What did
// not may stay so, since the file may be for another runtime or for kernels of one's own.
func StillRuns(before, after *tflite.Model) error {
	if len(rules.Unsupported(before)) > 0 {
		return nil
	}
	if list := rules.Unsupported(after); len(list) > 0 {
		return fmt.Errorf("TensorFlow Lite Micro would not run the new model: %v", list[0])
	}
	return nil
}
