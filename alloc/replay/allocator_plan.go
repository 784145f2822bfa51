package replay

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// maxSkipped is the number of planned requests that are searched for an equal size.
const maxSkipped = 64

// slot returns the request of the plan that matches one for size bytes: the next one, or a later one if
// the run skips requests, or -1. A request more than 16 times larger that precedes one of equal size
// ends the search.
func (a *Allocator) slot(size int64) int {
	const most = 16 // times larger
	rest := a.planned[min(a.run.next, len(a.planned)):]
	for k, w := range rest[:min(len(rest), maxSkipped)] {
		if w.size == size {
			return a.run.next + k
		}
		if w.size/most > size {
			return -1
		}
	}
	if len(rest) > 0 && size <= rest[0].size && rest[0].size/most <= size {
		return a.run.next
	}
	for k, w := range rest {
		if size <= w.size && w.size/most <= size {
			return a.run.next + k
		}
	}
	return -1
}

// overdue marks blocks in use as late that should have been released before request k of the plan.
func (a *Allocator) overdue(k int) {
	for until := a.run.next; until <= k; until++ {
		for _, slot := range a.run.releases[until] {
			place := Place{Offset: a.offsets[slot]}
			if b, inUse := a.blocks[place]; inUse && b.slot == slot {
				a.run.overdue[place] = b.size
				a.run.replan = true
			}
		}
		delete(a.run.releases, until)
	}
}

// collides reports whether a planned place overlaps a late block. The plan keeps all others apart.
func (r *run) collides(place Place, size int64) bool {
	if r.taken != nil {
		return !r.taken.isFree(place.Offset, size)
	}
	for late, bytes := range r.overdue {
		if late.Offset < place.Offset+size && place.Offset < late.Offset+bytes {
			return true
		}
	}
	return false
}

// observe merges a run into the profile, and reports whether the profile may have changed.
func (a *Allocator) observe() (changed bool) {
	for place := range a.run.placed {
		a.run.observed[a.blocks[place].request].kept = true
	}
	observed := a.run.observed
	if len(observed) != len(a.profile) {
		peak := lifetime.MaxBreadth(a.records(observed))
		if peak <= a.peak {
			return false
		}
		a.profile, a.peak = observed, peak
		return true
	}
	for k, o := range observed {
		w := &a.profile[k]
		w.kept = w.kept || o.kept
		w.size, w.last = max(w.size, o.size), max(w.last, o.last)
	}
	a.peak = lifetime.MaxBreadth(a.records(a.profile))
	return true
}

// records returns requests as usage records. Those with kept set have no bytes.
func (a *Allocator) records(list []requestProfile) []lifetime.Record {
	records := make([]lifetime.Record, len(list))
	for k, w := range list {
		records[k] = lifetime.Record{First: k, Last: max(w.last, k), Size: integer.RoundUp(max(w.size, 1), a.granule), Align: a.granule}
		if w.kept {
			records[k].Size = 0
		}
	}
	return records
}

func (a *Allocator) replan(ctx context.Context) error {
	records := a.records(a.profile)
	plan, err := alloc.Solve(ctx, records, a.opt)
	if err != nil {
		return err
	}
	if other := a.largestOnTop(ctx, records); other != nil && other.Total <= plan.Total {
		other.LowerBound = plan.LowerBound // its own is one for what is pinned
		plan = other
	}
	a.planned, a.offsets = slices.Clone(a.profile), plan.Offsets
	a.stats.Plans++
	a.stats.Arena, a.stats.LowerBound = plan.Total, plan.LowerBound
	for place, b := range a.blocks { // blocks that outlive a run may be above the plan
		if !place.Pooled {
			a.stats.Arena = max(a.stats.Arena, place.Offset+integer.RoundUp(max(b.size, 1), a.granule))
		}
	}
	a.stats.Reserved = max(a.stats.Reserved, plan.Total+a.pool.Reserved())
	return nil
}

// largestOnTop returns a plan that packs the blocks in use at the request of the largest block at the
// bottom, or nil. If these or the largest block grow in a later run, memory grows only by the
// difference.
func (a *Allocator) largestOnTop(ctx context.Context, records []lifetime.Record) *alloc.Plan {
	largest := 0
	for k, r := range records {
		if r.Size > records[largest].Size {
			largest = k
		}
	}
	var below []lifetime.Record
	var of []int
	for k, r := range records[:largest] {
		if r.Last >= largest && r.Size > 0 { // the k-th request begins at k
			below, of = append(below, r), append(of, k)
		}
	}
	if len(below) == 0 {
		return nil
	}
	plan, err := alloc.Solve(ctx, below, a.opt)
	if err != nil {
		return nil
	}
	around := slices.Clone(records)
	for n, k := range of {
		around[k].Pinned, around[k].Offset = true, plan.Offsets[n]
	}
	if plan, err = alloc.Solve(ctx, around, a.opt); err != nil {
		return nil
	}
	return plan
}
