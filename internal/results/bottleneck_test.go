package results

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// TestBottleneckText: each cause is named, tensors in place count nothing, and reasons are for budgets
// that are not met.
func TestBottleneckText(t *testing.T) {
	b := shrink.Bottleneck{Cause: shrink.ByTensors, Subgraph: 1, Operator: 2, Name: "CONV_2D", Bytes: 300, Reasons: []string{"a reason"}, Tensors: []shrink.Alive{
		{ID: "0:1", Size: 100, Held: 100, Added: 100}, {ID: "0:2", Size: 90, Held: 90}, {ID: "0:3", Size: 160, Held: 60, Added: 60}, {ID: "0:4", Size: 30, Held: 30, Added: 30}, {ID: "0:5", Size: 20, Held: 20, Added: 20},
	}}
	live := "CONV_2D (1:2), 300 B live: tensors 0:1 of 100 B, 0:2 of 90 B in place, 0:3 with 60 of 160 B, 0:4 of 30 B, 1 more\n"
	check := func(want ...string) {
		t.Helper()
		var text strings.Builder
		NewBottleneck(&b).text(Style{}, &text, len(b.Reasons) > 0)
		if got := text.String(); got != strings.Join(want, "") {
			t.Errorf("got\n%swant\n%s", got, strings.Join(want, ""))
		}
	}
	check("limited by:   "+live, "reason:       a reason\n")
	b.Reasons, b.Required, b.Stage, b.Cause = nil, 1000, "the memory is planned", shrink.BySetup
	check("limited by:   setup: 1,000 B are in use when the memory is planned\n", "peak:         "+live)
	b.Tail, b.Cause = []rules.Part{{Name: "kernel data", Bytes: 400}, {Name: "variables", Bytes: 50}, {Name: "none"}}, shrink.ByTail
	check("limited by:   tail: kernel data of 400 B, variables of 50 B\n", "peak:         "+live)
	b = shrink.Bottleneck{Cause: shrink.ByScratch, Operator: 6, Name: "CONV_2D", Bytes: 400, Scratch: 300, ScratchSource: "reference", Tensors: []shrink.Alive{{ID: "0:1", Size: 100, Held: 100, Added: 100}}}
	check("limited by:   scratch of CONV_2D (0:6) (kernels: reference), 400 B live: scratch of 300 B, tensors 0:1 of 100 B\n")
	b = shrink.Bottleneck{Cause: shrink.ByTensors, Operator: -1, Bytes: 100, Tensors: b.Tensors}
	check("limited by:   the inputs, 100 B live: tensors 0:1 of 100 B\n")
	var none strings.Builder
	if NewBottleneck(nil).text(Style{}, &none, true); none.Len() > 0 {
		t.Error(none.String())
	}
}
