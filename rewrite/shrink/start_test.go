package shrink

import (
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// withPlan returns a network with a plan of its least head, and that head.
func withPlan(t *testing.T, seed uint64) (*tflite.Model, int64) {
	t.Helper()
	m := drawn(t, seed)
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	choice, err := pin.Choose(t.Context(), v, pin.Options{Mode: pin.All})
	if err != nil {
		t.Fatal(err)
	}
	return embedPlan(t, m, choice.Offsets), choice.Head
}

func embedPlan(t *testing.T, m *tflite.Model, offsets []int32) *tflite.Model {
	t.Helper()
	r, err := rewrite.Embed(m, offsets, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// foreign returns the model with a header of its plan that another tool writes.
func foreign(t *testing.T, m *tflite.Model) *tflite.Model {
	t.Helper()
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		t.Fatal(err)
	}
	data := slices.Clone(m.Data)
	data[plans[0].At]++
	out, err := tflite.Parse(data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFitHonoursPlan: an embedded plan counts, and one of another tool stays
// unless that is forced, when it only goes for a smaller head.
func TestFitHonoursPlan(t *testing.T) {
	const seed = 1
	own, head := withPlan(t, seed)
	g := goal()
	g.Device = g.Device.WithoutScratch()
	first := run(t, t.Context(), own, g)
	if got := first.Steps[0].Head; got != head || first.Foreign != "" {
		t.Errorf("as it is: head %d, planned %d, foreign %q", got, head, first.Foreign)
	}
	other := foreign(t, own)
	r := run(t, t.Context(), other, g)
	if len(r.Steps) != 1 || r.Steps[0].Head != head || r.Steps[0].Data != nil || r.Foreign == "" {
		t.Errorf("another tool's: %+v, foreign %q", r.Steps, r.Foreign)
	}
	g.Force = true
	if r := run(t, t.Context(), other, g); r.head() != first.head() || r.Steps[0].Head != head {
		t.Errorf("forced: %d from %d, unplanned %d", r.head(), r.Steps[0].Head, first.head())
	}
}

// TestFitMendsPlan: a head that only a broken plan reaches is none.
func TestFitMendsPlan(t *testing.T) {
	m := drawn(t, 1)
	g := goal()
	want := run(t, t.Context(), m, g).head()
	broken := embedPlan(t, m, make([]int32, len(m.Subgraphs[0].Tensors)))
	r, err := Fit(t.Context(), broken, g)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) < 2 || r.Steps[1].Name != "no plan" || r.Steps[0].Head >= want || r.head() != want {
		t.Errorf("head %d, wanted %d, of %+v", r.head(), want, r.Steps[0])
	}
	out, err := tflite.Parse(r.Steps[r.Best].Data, "out")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := verify.Plan(out); err != nil || !v.OK() {
		t.Errorf("%v %v", v, err)
	}
}

// TestFitHonoursVela: the plan of a compiler whose tensors share memory on purpose.
func TestFitHonoursVela(t *testing.T) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "models", "micro", "person_detect_vela.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	g := goal()
	carried, err := embedded.Follow(t.Context(), g.Device, m, "")
	if err != nil || !carried.Followed() {
		t.Fatal(err)
	}
	with := carried.Outcome
	without, err := pin.Follow(t.Context(), rules.Micro(), m, nil, g.Device.Requests(m))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, t.Context(), m, g)
	if got := r.Steps[0]; got.Head != with.Head || got.Head >= without.Head || len(r.Steps) != 1 {
		t.Errorf("%+v, with its plan %d, without %d, %d steps", got, with.Head, without.Head, len(r.Steps))
	}
}
