package fit

import (
	"context"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestExplainOverhead: where more work meets a budget, just so much does.
func TestExplainOverhead(t *testing.T) {
	long(t)
	m := wide(t, 3)
	g := goal()
	s, err := Frontier(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	points := s.Levels[0].Points
	last := points[len(points)-1]
	if last.ExtraMACs == 0 {
		t.Skip("nothing here is for more work")
	}
	g.Arena, g.MaxOverhead = last.Budget, 0
	r := run(t, t.Context(), m, g)
	if r.Met {
		t.Fatal("met without more work")
	}
	e, err := Explain(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range e.Ways {
		if w.MaxOverhead == 0 {
			continue
		}
		g.MaxOverhead = w.MaxOverhead
		if r := run(t, t.Context(), m, g); !w.Tried || !w.Met || !r.Met {
			t.Errorf("%+v; with so much: met %t", w, r.Met)
		}
		return
	}
	t.Error("more work was not tried")
}

// TestExplainStops: without time nothing is called tried, and what binds is said.
func TestExplainStops(t *testing.T) {
	m := wide(t, 3)
	g := goal()
	g.Arena = 1000
	r := run(t, t.Context(), m, g)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := Explain(ctx, m, g, r)
	if err != nil || s.Bottleneck == nil || s.Arena != r.Rungs[r.Best].Smallest-1000 {
		t.Fatalf("%+v, %v", s, err)
	}
	if len(s.Ways) != len(rules.Aliases()) {
		t.Errorf("%d ways", len(s.Ways))
	}
	for _, w := range s.Ways {
		if w.Tried || w.Met {
			t.Errorf("%+v", w)
		}
	}
}

// TestReasons: what the application reads and writes as a whole is named, and so is the operator
// behind which nothing is cut.
func TestReasons(t *testing.T) {
	m := builtIn(t, "mobilenet-v1")
	v, err := micro(m)
	if err != nil {
		t.Fatal(err)
	}
	all := func(operator int) string { return strings.Join(reasons(v, 0, operator, nil), "\n") }
	if got := all(0); !strings.Contains(got, "is an input of the model") || !strings.Contains(got, "ends before operator 0:") {
		t.Error(got)
	}
	last := len(m.Subgraphs[0].Operators) - 1
	if got := all(last); !strings.Contains(got, "it cannot be cut into strips or tiles: ") || !strings.Contains(got, "is an output of the model") {
		t.Error(got)
	}
	if got := all(-1); !strings.Contains(got, "the inputs of the model") {
		t.Error(got)
	}
}
