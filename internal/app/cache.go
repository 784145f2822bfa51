package app

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// CacheProblem returns one run of the problem with a cache and an arena of some bytes. Constants follow the arena
// in the order of their first use, each at the start of a line.
func (j *Problem) CacheProblem(g cache.Geometry, arena int64) cache.Problem {
	p := cache.Problem{Geometry: g, Records: j.Planned(), Constants: integer.RoundUp(arena, g.Line), Forbidden: j.Permit(alloc.Options{}).Forbidden}
	if j.View == nil {
		p.Walk = cache.Walk(j.Records, nil, nil, nil)
		return p
	}
	starts, end := map[int]int64{}, int64(0) // by buffer
	p.Walk = cache.Walk(j.Records, j.View.Graph, j.View.Usage, func(at lifetime.Place) (offset, size int64) {
		t := &j.View.Model.Subgraphs[at.Subgraph].Tensors[at.Tensor]
		size = int64(len(j.View.Model.Buffer(t).Data))
		if _, known := starts[t.Buffer]; !known {
			starts[t.Buffer] = end
			end += integer.RoundUp(size, g.Line)
		}
		return starts[t.Buffer], size
	})
	if j.Choice != nil {
		merged := j.Choice.Merged
		groupOf := make([]int, len(j.Records))
		for k, group := range merged.Groups {
			for _, i := range group {
				groupOf[i] = k
			}
		}
		for n, a := range p.Walk {
			if a.Record >= 0 {
				p.Walk[n].Record, p.Walk[n].Offset = groupOf[a.Record], merged.Within(a.Record)
			}
		}
	}
	return p
}

// saveMisses replaces a plan of the planned records by one with fewer misses in the cache, if there is
// one, and returns the counts; nil without a cache.
func (j *Problem) saveMisses(ctx context.Context, plan *alloc.Plan, seed uint64) (*cache.Result, error) {
	if j.Cache == nil {
		return nil, nil
	}
	p := j.CacheProblem(*j.Cache, plan.Total)
	p.Seed = seed
	found, err := cache.Improve(ctx, p, plan.Offsets)
	if err != nil {
		return nil, err
	}
	plan.Offsets, plan.Total, plan.Interrupted = found.Offsets, found.Total, plan.Interrupted || found.Interrupted
	if plan.Total == plan.LowerBound && !plan.Optimal {
		plan.Optimal, plan.Proof = true, alloc.Proof{Kind: alloc.ByBound}
	}
	return found, nil
}
