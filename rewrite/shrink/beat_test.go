package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestBeat: a proposal that has a plan within a target is planned within it, although the search for the
// smallest head by itself ends above it; and one that has none in the order of its tiles may have one in
// another order.
func TestBeat(t *testing.T) {
	m, err := tflite.Open(corpus.Model(t, "person_detect.tflite").Path)
	if err != nil {
		t.Fatal(err)
	}
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	g := &Goal{MaxOverhead: -1, Alias: rules.OverwriteAlias, Device: device}
	s, err := newSearch(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.untiled(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	strips := func(first, last, rows int) split.Stage {
		return split.Stage{First: first, Last: last, Rows: rows, Columns: 1, Mode: split.Recompute}
	}
	channels := func(at, n int) split.Stage {
		return split.Stage{First: at, Last: at, Rows: 1, Columns: 1, Channels: n, Mode: split.Recompute}
	}
	p := &proposal{graph: s.graphs[0], alias: g.Alias}
	p.path, err = s.row(p.graph, p.alias).Path([]split.Stage{strips(0, 3, 5), strips(4, 7, 2), channels(9, 2), channels(24, 2), channels(26, 4)})
	if err != nil {
		t.Fatal(err)
	}
	s.propose(p)
	if err := s.build(p); err != nil {
		t.Fatal(err)
	}
	met := 0
	for more := int64(32); more < 4000; more += 400 {
		p.best, p.failed, p.hope = nil, 0, p.bound
		than := &Cost{Figures: rules.Figures{Required: p.bound.Required + more, Head: p.bound.Head + more}}
		if err := s.beat(t.Context(), p, g, than, 1./4); err != nil {
			t.Fatal(err)
		}
		switch {
		case p.best == nil && p.failed == 0:
			t.Errorf("less than %d: neither a plan nor none", than.Required)
		case p.best == nil:
		case g.Compare(&p.best.Cost, than) >= 0:
			t.Errorf("less than %d: planned with %d", than.Required, p.best.Required)
		default:
			met++
		}
	}
	if met == 0 {
		t.Error("no target was met")
	}
	p.best, p.hope.Head = nil, p.bound.Head+4000
	if list := s.vary(t.Context(), []*proposal{p}, surveyed); len(list) != 1 || list[0].bound.Head > p.bound.Head+1000 {
		t.Error("no better order of the tiled model")
	}
}
