package pin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/golden"
	"github.com/tflarena/tflarena/internal/oracle"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// tryOverlaps runs the model in TensorFlow Lite Micro with outputs that are written over inputs
// while they die: as many as a packer makes of all that there are, and those of the plan of the
// least head. With -audit it does so for five inputs.
func tryOverlaps(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model, request oracle.Request, before oracle.Answer, o *outcome) {
	t.Helper()
	v := microView(t, m)
	overlaps := v.Overlaps(rules.DiagonalAlias)
	if o.Overlaps = len(overlaps); len(overlaps) == 0 {
		return
	}
	packed := request
	packed.Model = embed(t, m, &pin.Choice{Offsets: everyOverlap(t, v, overlaps)})
	after := run(t, runtimes, packed, "tflm")
	if diff := cmp.Diff(before.Outputs, after.Outputs); !o.Unsteady && (diff != "" || after.Error != "") {
		t.Errorf("%s: with all overlaps %s; outputs differ (-before +after):\n%s", o.Model, after.Error, diff)
	}
	choice, err := pin.Choose(t.Context(), v, pin.Options{Alias: rules.DiagonalAlias, Scratch: rules.ReferenceScratch(m, oracle.Target(t))})
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

// everyOverlap returns a plan for all tensors that places one after the other as low as it may,
// the largest first, over what dies as well.
func everyOverlap(t *testing.T, v *rules.View, overlaps []lifetime.Overlap) []int32 {
	t.Helper()
	records := slices.Clone(v.Records())
	plan, err := alloc.Solve(t.Context(), records, alloc.Options{
		Approach: alloc.Offsets, Strategy: "tile-aware-by-size", Apart: lifetime.Forbidden(records, overlaps, nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Aliased(records, plan.Offsets, plan.Total, nil, overlaps); err != nil {
		t.Fatal(err)
	}
	return pin.Fixed(v, plan.Offsets)
}
