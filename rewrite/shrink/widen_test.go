package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestWidened: where wrong rows on both sides of a tile's right ones keep a plan above its lower bound, wider
// filters lead to a smaller plan; a plan that is at its lower bound has no wider filters to try.
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
	p := &proposal{graph: s.graphs[0], alias: g.Alias}
	p.path, err = s.row(p.graph, p.alias).Path([]split.Stage{{First: 0, Last: 3, Rows: 3, Columns: 1, Carry: true, Widen: split.Strided}})
	if err != nil {
		t.Fatal(err)
	}
	s.propose(p)
	if err := s.build(p); err != nil {
		t.Fatal(err)
	}
	planned := func(p *proposal) {
		if err := s.plan(t.Context(), p, 1./4); err != nil {
			t.Fatal(err)
		}
	}
	planned(p)
	tight, least := *p, *p.best
	least.Head = p.bound.Head
	tight.best = &least
	if list := s.widened(t.Context(), []*proposal{&tight}, surveyed); len(list) > 0 {
		t.Errorf("%d proposals for a plan at its lower bound", len(list))
	}
	list := s.widened(t.Context(), []*proposal{p}, surveyed)
	if len(list) != 1 {
		t.Fatalf("%d proposals for a plan of %d B with the lower bound %d B", len(list), p.best.Head, p.bound.Head)
	}
	wide := list[0]
	planned(wide)
	if wide.best.Required >= p.best.Required || wide.best.ExtraMACs <= p.best.ExtraMACs {
		t.Errorf("%d B and %d multiply-accumulates, %d and %d without wider filters", wide.best.Required, wide.best.ExtraMACs, p.best.Required, p.best.ExtraMACs)
	}
}
