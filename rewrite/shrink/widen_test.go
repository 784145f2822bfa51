package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestWidened: wider filters lead to a smaller arena for more multiply-accumulates, and are not proposed for
// tiles that have none to widen.
func TestWidened(t *testing.T) {
	m, err := tflite.Open(corpus.Model(t, "person_detect.tflite").Path)
	if err != nil {
		t.Fatal(err)
	}
	g := &Goal{MaxOverhead: -1, Alias: rules.DiagonalAlias, Device: rules.DefaultDevice()}
	s, err := newSearch(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.untiled(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	planned := func(first int) *proposal {
		p := &proposal{graph: s.graphs[0], alias: g.Alias}
		if p.path, err = s.row(p.graph, p.alias).Path([]split.Stage{{First: first, Last: 3 - first, Rows: 3, Columns: 1, Carry: true}}); err != nil {
			t.Fatal(err)
		}
		s.propose(p)
		if err := s.build(p); err != nil {
			t.Fatal(err)
		}
		if err := s.plan(t.Context(), p, 1./4); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, fixed := planned(0), planned(1)
	list := s.widened(t.Context(), []*proposal{p, fixed}, surveyed)
	if len(list) != 1 {
		t.Fatalf("%d proposals, want 1", len(list))
	}
	wide := list[0]
	if err := s.plan(t.Context(), wide, 1./4); err != nil {
		t.Fatal(err)
	}
	if wide.best.Required >= p.best.Required || wide.best.ExtraMACs <= p.best.ExtraMACs {
		t.Errorf("%d B and %d extra multiply-accumulates, %d and %d without wider filters", wide.best.Required, wide.best.ExtraMACs, p.best.Required, p.best.ExtraMACs)
	}
}
