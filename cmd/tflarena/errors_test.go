package main

import (
	"testing"

	"github.com/tflarena/tflarena/tflite"
)

// TestFaultIsNoInvalidInput: a file of ours that cannot be read is no fault of the input.
func TestFaultIsNoInvalidInput(t *testing.T) {
	if got := exitCode(named("model.tflite", faultError{tflite.ErrInvalid})); got != exitFailure {
		t.Errorf("exit code %d", got)
	}
}
