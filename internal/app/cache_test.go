package app_test

import (
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Tensors that are planned as one have the accesses of the single tensors in their places.
func TestCacheProblemOfMergedTensors(t *testing.T) {
	g := cache.Geometry{Size: 512, Line: 32, Ways: 2}
	m := builtin.Model(t, "randwire")
	single := tensors(t, m, rules.DefaultDevice())
	for _, alias := range []rules.Alias{rules.SafeAlias, rules.ElementwiseAlias, rules.DiagonalAlias} {
		j := tensors(t, m, rules.DefaultDevice())
		if err := j.Share(t.Context(), alias, alloc.GreedyBySize); err != nil {
			t.Fatal(err)
		}
		plan, err := alloc.Solve(t.Context(), j.Planned(), j.Permit(alloc.Options{Approach: alloc.Offsets, Strategy: alloc.GreedyBySize}))
		if err != nil {
			t.Fatal(err)
		}
		l, err := j.Place(plan)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cache.Count(j.CacheProblem(g, plan.Total), plan.Offsets)
		if err != nil {
			t.Fatal(err)
		}
		want, err := cache.Count(single.CacheProblem(g, plan.Total), l.Offsets)
		if err != nil || got != want || got.Misses == 0 {
			t.Errorf("%s: %+v, want %+v (%v)", alias, got, want, err)
		}
		if alias == rules.ElementwiseAlias && len(j.Planned()) == len(j.Records) {
			t.Errorf("%s: no tensors were merged", alias)
		}
	}
}

// Weights are read once by each operator that needs them: in a cache that holds everything, the misses
// are the lines of the arena that are used and those of the weights.
func TestCacheProblemHasWeights(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	j := tensors(t, m, rules.DefaultDevice())
	plan, err := alloc.Solve(t.Context(), j.Records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		t.Fatal(err)
	}
	g := cache.Geometry{Size: 64 << 20, Line: 64, Ways: 8}
	n, err := cache.Count(j.CacheProblem(g, plan.Total), plan.Offsets)
	if err != nil {
		t.Fatal(err)
	}
	var lines int64
	for _, b := range m.Buffers {
		lines += (int64(len(b.Data)) + g.Line - 1) / g.Line
	}
	if arena := (plan.Total + g.Line - 1) / g.Line; n.Misses != n.Cold || n.Cold < lines || n.Cold > lines+arena {
		t.Errorf("%+v, with %d lines of weights and %d of the arena", n, lines, arena)
	}
}
