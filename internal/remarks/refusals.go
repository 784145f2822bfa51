package remarks

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Refusals returns, of what keeps a runtime from running a model, a sentence for each kind:
// what nobody can mend but who made the model, and kernels that an application can bring.
func Refusals(runtime string, list []rules.Obstacle) (problems, missing []string) {
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
		missing = append(missing, fmt.Sprintf("%s runs this model only if the application registers a kernel: %s", runtime, line))
	}
	return problems, missing
}

// RefusalWarnings returns both kinds as warnings.
func RefusalWarnings(runtime string, list []rules.Obstacle) []results.Note {
	problems, missing := Refusals(runtime, list)
	return append(results.Notes(results.WarnCannotRun, problems), results.Notes(results.WarnCustom, missing)...)
}

// MicroRefusals returns them for TensorFlow Lite Micro with the kernels of a library, and behind them what
// these get wrong.
func MicroRefusals(m *tflite.Model, library string) []results.Note {
	return append(RefusalWarnings(rules.Micro().Title, rules.UnsupportedBy(m, library)), KernelWarnings(m, library)...)
}
