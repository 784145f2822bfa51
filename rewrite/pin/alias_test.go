package pin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// tryAliases runs the model in TensorFlow Lite Micro with every takeover that there is,
// and with those that make the head smaller.
func tryAliases(t *testing.T, runtimes *oracle.Runtimes, m *tflite.Model, request oracle.Request, before oracle.Answer, o *outcome) {
	t.Helper()
	v := sample.Micro(t, m)
	all, taken := everyTakeover(t, v)
	if o.Takeovers = taken; taken == 0 {
		return
	}
	request.Model = embed(t, m, &pin.Choice{Offsets: all})
	after := run(t, runtimes, request, "tflm")
	if diff := cmp.Diff(before.Outputs, after.Outputs); !o.Unsteady && (diff != "" || after.Error != "") {
		t.Errorf("%s: with %d takeovers %s; outputs differ (-before +after):\n%s", o.Model, taken, after.Error, diff)
	}
	for alias, head := range map[rules.Alias]*int64{rules.SafeAlias: &o.Safe, rules.ElementwiseAlias: &o.Elementwise} {
		choice, err := pin.Choose(t.Context(), v, pin.Options{Alias: alias, Scratch: oracle.Device(t).Requests(m)})
		if err != nil {
			t.Fatal(err)
		}
		if len(choice.Taken) == 0 {
			continue
		}
		*head = choice.Head
		request.Model = embed(t, m, choice)
		after := run(t, runtimes, request, "tflm")
		if o.Unsteady {
			after.Outputs = before.Outputs
		}
		sameInMicro(t, o.Model+" with --alias "+string(alias), pin.Peak, before, after, choice)
	}
}

// everyTakeover returns a plan for all tensors in which as many outputs as possible take
// over an input's memory, and how many do.
func everyTakeover(t *testing.T, v *rules.View) ([]int32, int) {
	t.Helper()
	takeovers, records := v.Takeovers(rules.OverwriteAlias), v.Remaining(rules.OverwriteAlias)
	merged := inplace.Merge(records, takeovers, func(i int) bool { return records[i].Last < 0 })
	plan, err := alloc.Solve(t.Context(), merged.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.GreedyBySize})
	if err != nil {
		t.Fatal(err)
	}
	offsets := merged.Offsets(plan.Offsets)
	if err := check.Aliased(records, offsets, plan.Total, takeovers, nil); err != nil {
		t.Fatal(err)
	}
	return pin.Fixed(v, offsets), len(records) - len(merged.Records)
}
