package docs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// traveller is the index of the tensor whose way docs/architecture.md tells.
const traveller = 10

// TestJourney: what docs/architecture.md states about one tensor at each station is true.
func TestJourney(t *testing.T) {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("```\n")
	station := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-8s"+format+"\n", append([]any{name}, args...)...)
	}

	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	must(err)
	m, err := tflite.Parse(data, "blazeface")
	must(err)
	x := &m.Subgraphs[0].Tensors[traveller]
	station("decode", "%s %s %v, made by operator %d, read by operators %v", m.TensorID(0, traveller), x.Type, x.Shape, x.Producer, x.Consumers)

	v, err := rules.Micro().View(m, -1)
	must(err)
	i := 0
	for v.Records()[i].ID != m.TensorID(0, traveller) {
		i++
	}
	r := v.Records()[i]
	station("rules", "%d bytes, at a multiple of %d", r.Size, r.Align)
	station("record", "alive from position %d to position %d", r.First, r.Last)

	plan, err := alloc.Solve(t.Context(), v.Records(), alloc.Options{Approach: alloc.Offsets})
	must(err)
	station("solve", "bytes [%d, %d) of %d, by %s: optimal, since %s", plan.Offsets[i], plan.Offsets[i]+r.Size, plan.Total, plan.Winner, plan.Proof)
	must(check.Offsets(v.Records(), plan.Offsets, plan.Total))
	station("check", "the plan breaks no law")

	choice, err := pin.Choose(t.Context(), v, pin.Options{Mode: pin.Peak})
	must(err)
	station("pin", "fixed at %d, as %d tensor of %d: the head is %d instead of %d", choice.Offsets[traveller], choice.Pinned, choice.Planned, choice.Head, choice.Own)

	result, err := rewrite.Embed(m, choice.Offsets, rewrite.Options{})
	must(err)
	m, err = tflite.Parse(result.Data, "blazeface")
	must(err)
	plans, err := rewrite.ReadPlans(m)
	must(err)
	station("embed", "%d at byte %d of the new file, in metadata %s", plans[0].Offsets[traveller], plans[0].Position(traveller), rewrite.PlanName)
	report, err := verify.Plan(m)
	must(err)
	if !report.OK() || len(report.Pinned) != 1 {
		t.Errorf("the plan: %+v", report.Findings)
	}
	station("judge", "the plan is right, and takes %d bytes by itself", report.Head)
	b.WriteString("```\n")
	golden.Section(t, filepath.Join(root, "docs", "architecture.md"), "journey", b.String())
}
