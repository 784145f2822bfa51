package main

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// refusals returns, of what keeps a runtime from running a model, a sentence for each kind:
// what nobody can mend but who made the model, and kernels that an application can bring.
func refusals(runtime string, list []rules.Obstacle) (problems, missing []string) {
	var hard, custom []rules.Obstacle
	for _, o := range list {
		if o.Custom {
			custom = append(custom, o)
		} else {
			hard = append(hard, o)
		}
	}
	for _, line := range rules.Group(hard) {
		problems = append(problems, fmt.Sprintf("%s would not run this model: %s", runtime, line))
	}
	for _, line := range rules.Group(custom) {
		missing = append(missing, fmt.Sprintf("%s runs this model only where the application registers a kernel: %s", runtime, line))
	}
	return problems, missing
}

// microRefusals returns both kinds for TensorFlow Lite Micro.
func microRefusals(m *tflite.Model) []string {
	problems, missing := refusals("TensorFlow Lite Micro", rules.Unsupported(m))
	return append(problems, missing...)
}
