package pin_test

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// tryOverlaps runs the model in TensorFlow Lite Micro with the outputs written over inputs, while
// they die, that make the head smaller. With -audit it does so for five inputs.
func tryOverlaps(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model, request oracle.Request, before oracle.Answer, o *outcome) {
	t.Helper()
	v := sample.Micro(t, m)
	overlaps := v.Overlaps(rules.DiagonalAlias)
	if o.Overlaps = len(overlaps); len(overlaps) == 0 {
		return
	}
	choice, err := pin.Choose(t.Context(), v, pin.Options{Alias: rules.DiagonalAlias, Scratch: oracle.Device(t).Requests(m)})
	if err != nil {
		t.Fatal(err)
	}
	if len(choice.Overlaps) == 0 {
		return
	}
	o.Diagonal = choice.Head
	own, planned := request, request
	own.Model, planned.Model = m.Name, embed(t, m, choice)
	for seed := int64(1); seed == 1 || *golden.Audit && seed <= 5; seed++ {
		own.Seed, planned.Seed = request.Seed+seed-1, request.Seed+seed-1
		if seed > 1 {
			before = run(t, runtimes, own, "tflm")
		}
		after := run(t, runtimes, planned, "tflm")
		if o.Unsteady {
			after.Outputs = before.Outputs
		}
		sameInMicro(t, o.Model+" with --alias diagonal", pin.Peak, before, after, choice)
	}
}
