package shrink

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestLimit: the tiled run that limits a plan is the one whose tiles the file has at the highest addresses. Once it is
// known, a model without that run is more hopeful than one that changes another run, and a better plan for the
// same run takes that back.
func TestLimit(t *testing.T) {
	m, err := tflite.Open(corpus.Model(t, "mcunet-320kb-1mb_imagenet.tflite").Path)
	if err != nil {
		t.Fatal(err)
	}
	g := &Goal{MaxOverhead: -1, Alias: rules.DiagonalAlias, Device: rules.DefaultDevice(), LeastHead: true}
	s, err := newSearch(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.untiled(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	graph := s.graphs[slices.IndexFunc(s.graphs, func(g *graph) bool { return !g.replaced })]
	with := func(rows ...int) *proposal {
		var stages []split.Stage
		for i, n := range rows {
			stages = append(stages, split.Stage{First: 4 * i, Last: 4*i + 3, Rows: n, Columns: 1, Mode: split.Recompute})
		}
		stages = append(stages, split.Stage{First: 20, Last: 22, Rows: 1, Columns: 1, Channels: 3, Mode: split.Recompute})
		p := &proposal{graph: graph, alias: g.Alias}
		if p.path, err = s.row(graph, g.Alias).Path(stages); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := with(20, 8, 3, 5, 3)
	s.propose(p)
	if err := s.build(p); err != nil {
		t.Fatal(err)
	}
	s.thorough = true
	plan := func(effort float64) {
		if err := s.plan(t.Context(), p, effort); err != nil {
			t.Fatal(err)
		}
		s.learn(p)
	}
	plan(1. / 16)
	if k := highestStage(t, p); p.best.limiting != k {
		t.Errorf("stage %d limits the plan, not stage %d", k, p.best.limiting)
	}
	// The second stage limits this plan.
	changed, kept := with(20, 12, 3, 5, 3), with(20, 8, 3, 5, 4)
	s.propose(kept)
	s.propose(changed)
	if changed.limit != 0 || kept.limit != p.best.Head {
		t.Errorf("limits %d and %d after a plan with a head of %d", changed.limit, kept.limit, p.best.Head)
	}
	list := s.hopeful(g, p)
	if i, k := slices.Index(list, changed), slices.Index(list, kept); i < 0 || k >= 0 && k < i {
		t.Errorf("the model without the run that limits the plan is number %d, the one with it number %d", i, k)
	}
	before := p.best.Head
	s.limits[tiledRun{graph, p.path.Stages[4]}] = before // as if it had limited another plan
	plan(1)
	if p.best.Head >= before {
		t.Fatalf("a head of %d, and %d with more effort", before, p.best.Head)
	}
	for i, stage := range p.path.Stages {
		if head := s.limits[tiledRun{graph, stage}]; head > p.best.Head || (head == p.best.Head) != (i == p.best.limiting) {
			t.Errorf("stage %d is said to need a head of %d; the plan with %d is limited by stage %d", i, head, p.best.Head, p.best.limiting)
		}
	}
	if kept.limit > p.best.Head {
		t.Errorf("a queued model is said to need a head of %d, and the plan with the same run has %d", kept.limit, p.best.Head)
	}
}

// highestStage returns the index of the stage that added the tensor at the highest addresses of a plan that fixes all.
func highestStage(t *testing.T, p *proposal) int {
	t.Helper()
	tensors := p.model.Subgraphs[0].Tensors
	from, highest, top := len(p.graph.model.Subgraphs[0].Tensors), -1, int64(-1)
	for k, s := range p.path.Stages {
		f, err := split.Cut(p.graph.model, s, from)
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < from+len(f.Tensors); i++ {
			size := int64(1) // INT8
			for _, n := range tensors[i].Shape {
				size *= int64(n)
			}
			if end := int64(p.offsets[i]) + size; p.offsets[i] >= 0 && end > top {
				highest, top = k, end
			}
		}
		from += len(f.Tensors)
	}
	return highest
}
