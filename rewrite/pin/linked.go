package pin

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
)

// linkNodes is the search limit for the plan of one link, in nodes.
const linkNodes = 4000

// linked returns the best plan, built link by link, with a head below limit, or nil. If
// [Options.Limit] is set, the head is within it. none is the chooser without takeovers.
func linked(ctx context.Context, none *chooser, takeovers []lifetime.Takeover, o Options, limit int64) (*chooser, candidate) {
	c := none.with(nil)
	for i, open := range c.openTensors() {
		if open && c.remaining[i].Last >= 0 {
			return nil, candidate{} // the runtime places it anywhere
		}
	}
	if o.Strategy != "" {
		return nil, candidate{}
	}
	links, err := inplace.NewChain(append(slices.Clone(c.remaining), c.all[len(c.remaining):]...), takeovers, c.permitted)
	if err != nil {
		return nil, candidate{}
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	offsets := chained(ctx, links, o, limit)
	var finer *inplace.Chain
	if o.Finer {
		finer = links.Finer()
	}
	if finer != nil {
		fine, known := o, limit
		fine.Effort = nearlyFull
		if offsets != nil {
			fine.Limit, known = 0, links.Total(offsets)
		}
		if smaller := chained(ctx, finer, fine, known); smaller != nil {
			offsets = smaller
		}
	}
	if offsets == nil {
		return nil, candidate{}
	}
	c.merge(inplace.Placed(c.remaining, takeovers, offsets))
	plan := &alloc.Plan{Offsets: make([]int64, len(c.records))}
	for k, group := range c.merged.Groups {
		plan.Offsets[k] = offsets[group[0]] - c.merged.Within(group[0])
	}
	copy(plan.Offsets[c.tensors:], offsets[len(c.remaining):])
	tried, err := c.candidate(ctx, "chain", plan)
	if err != nil || tried.head >= limit {
		return nil, candidate{}
	}
	return c, tried
}

// chained returns the offsets of the smallest plan of a chain found below limit bytes, or nil. If [Options.Limit] is set,
// it is within that.
func chained(ctx context.Context, links *inplace.Chain, o Options, limit int64) (offsets []int64) {
	links.Remember(o.Memo)
	nodes, known := scaled(linkNodes, o.Effort), limit
	if o.Limit > 0 {
		var ok bool
		if offsets, ok = links.Fit(ctx, min(o.Limit, limit), nodes); !ok {
			return nil
		}
		known = links.Total(offsets)
	}
	if _, smaller, ok := links.Least(ctx, known, nodes, o.resolution(known-links.Bound())); ok {
		offsets = smaller
	}
	return offsets
}

// nearlyFull is the effort of the search in a finer chain, which takes several times as long.
const nearlyFull = 0.99

// resolution returns the resolution in bytes of the search for a plan that may become smaller by some
// bytes: with little effort, not every size is tried.
func (o *Options) resolution(most int64) int64 {
	if o.Effort == 0 || o.Effort >= 1 {
		return 0
	}
	return int64(float64(most) / (coarse * o.Effort))
}

// coarse is the number of sizes that a search with an effort of nearly 1 tells apart.
const coarse = 64
