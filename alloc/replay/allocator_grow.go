package replay

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
)

// grow makes a new plan for a request that is larger than planned, as the paper does: blocks in use
// keep their places. It assumes that all later requests of the same planned size grow as well. It
// returns the request of the plan, or -1 if no planned request is similar or blocks are in use that
// are in no plan.
func (a *Allocator) grow(size int64) int {
	const most = 2 // times larger
	k := -1
	for i := a.run.next; i < len(a.planned) && k < 0; i++ {
		if w := a.planned[i]; !w.kept && w.size < size && size/most <= w.size {
			k = i
		}
	}
	if k < 0 || len(a.run.overdue) > 0 {
		return -1
	}
	a.overdue(k)
	if len(a.run.overdue) > 0 {
		return -1
	}
	planned := append([]requestProfile{}, a.planned...)
	old := planned[k].size
	for i := k; i < len(planned); i++ {
		if planned[i].size == old {
			planned[i].size = size
		}
	}
	records := a.records(planned)
	for i := range min(k, len(records)) { // past and skipped requests
		records[i].Size = 0
	}
	for place, b := range a.blocks {
		if !place.Pooled && b.slot >= 0 {
			r := &records[b.slot]
			r.Pinned, r.Offset, r.Size, r.Last = true, place.Offset, integer.RoundUp(max(b.size, 1), a.granule), max(r.Last, k)
		}
	}
	plan, err := alloc.Solve(context.Background(), records, a.opt)
	if err != nil {
		return -1
	}
	a.planned, a.offsets = planned, plan.Offsets
	for i := range min(len(a.profile), len(planned)) {
		a.profile[i].size = max(a.profile[i].size, planned[i].size)
	}
	a.run.replan, a.run.grown = true, true
	a.stats.Plans++
	a.stats.Arena, a.stats.LowerBound = max(a.stats.Arena, plan.Total), plan.LowerBound
	a.stats.Reserved = max(a.stats.Reserved, a.stats.Arena+a.pool.Reserved())
	return k
}
