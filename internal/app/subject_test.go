package app_test

import (
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func subject(t *testing.T, m *tflite.Model) *app.Subject {
	t.Helper()
	v, err := rules.DefaultDevice().Rules().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := app.Micro(t.Context(), v, rules.DefaultDevice(), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A limit of what a model needs passes, and one byte less fails. What a rewrite reaches is at most what
// is used now.
func TestCheck(t *testing.T) {
	for _, m := range []*tflite.Model{builtin.Model(t, "blazeface"), modelfile.Parse(t, network.Convolutions(2, 8))} {
		s := subject(t, m)
		arena, head := budget.Size(s.Arena.Required), budget.Size(s.Arena.Head)
		if r := s.Check(budget.Limits{Arena: &arena, Head: &head}, nil, false); !r.Pass || len(r.Budgets) != 2 || r.Figures != s.Arena.Figures {
			t.Errorf("%s: %+v", m.Name, r)
		}
		arena, head = arena-1, head-1
		for _, limits := range []budget.Limits{{Arena: &arena}, {Head: &head}} {
			if r := s.Check(limits, nil, true); r.Pass || len(r.Budgets) != 1 {
				t.Errorf("%s: %+v", m.Name, r)
			}
		}
		growth := budget.Growth{}
		for less, pass := range map[int64]bool{0: true, 1: false} {
			if r := s.Check(budget.Limits{Growth: &growth}, &app.Base{Used: s.Arena.Used - less}, false); r.Pass != pass {
				t.Errorf("%s: a growth of %d B: %+v", m.Name, less, r.Budgets)
			}
		}
		if used, err := s.Quickest(t.Context(), alloc.Solve); err != nil || used > s.Arena.Used {
			t.Errorf("%s: %d B, and %d B now: %v", m.Name, used, s.Arena.Used, err)
		}
	}
}

// A model that does not run fails whatever is allowed, and the view keeps its faults.
func TestCheckAllows(t *testing.T) {
	s := subject(t, modelfile.Parse(t, refused()))
	for _, allow := range []bool{false, true} {
		if r := s.Check(budget.Limits{}, nil, allow); r.Pass || len(r.Failures) == 0 || len(r.Faults) == 0 {
			t.Errorf("allowed %v: %+v", allow, r)
		}
	}
	wrong := func() (n int) {
		for _, f := range s.View.Faults() {
			if f.Fails {
				n++
			}
		}
		return n
	}
	if before := wrong(); before == 0 || s.Check(budget.Limits{}, nil, true) == nil || wrong() != before {
		t.Errorf("%d faults fail, and %d after a check", before, wrong())
	}
}

// No best plan is larger than the runtime's, none is below the bound, and both models of a comparison
// have the figures of their analyses.
func TestAnalyze(t *testing.T) {
	s := subject(t, builtin.Model(t, "blazeface"))
	a, err := s.Analyze(t.Context(), app.AnalyzeOptions{Solve: alloc.Solve})
	if err != nil || a.BestBytes > s.Arena.Head || a.BestBytes < a.LowerBoundBytes || a.Figures != s.Arena.Figures {
		t.Fatalf("%+v %v", a, err)
	}
	side, err := s.DiffSide(t.Context(), alloc.Solve)
	if err != nil || side.Figures != a.Figures || side.LowerBoundBytes != a.LowerBoundBytes {
		t.Errorf("%+v %v", side, err)
	}
}
