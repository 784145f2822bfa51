package pin

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// linkNodes is the search limit for the plan of one link, in nodes.
const linkNodes = 4000

// linked returns the best plan, built link by link, with a head below limit, or nil. If
// [Options.Limit] is set, a plan within it suffices.
func linked(ctx context.Context, v *rules.View, o Options, alias rules.Alias, limit int64) (*chooser, candidate) {
	c := newChooser(v, o.Scratch, alias, nil)
	for i, open := range c.openTensors() {
		if open && c.remaining[i].Last >= 0 {
			return nil, candidate{} // the runtime places it anywhere
		}
	}
	if o.Strategy != "" {
		return nil, candidate{}
	}
	links, err := inplace.NewChain(append(slices.Clone(c.remaining), c.all[len(c.remaining):]...), v.Takeovers(alias), v.Overlaps(alias))
	if err != nil {
		return nil, candidate{}
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	var offsets []int64
	var ok bool
	if o.Limit > 0 {
		offsets, ok = links.Fit(ctx, min(o.Limit, limit), scaled(linkNodes, o.Effort))
	} else {
		_, offsets, ok = links.Least(ctx, limit, scaled(linkNodes, o.Effort))
	}
	if !ok {
		return nil, candidate{}
	}
	c.merge(inplace.Placed(c.remaining, v.Takeovers(alias), offsets))
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
