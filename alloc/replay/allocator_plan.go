package replay

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// near is how far ahead of its place a request is looked for by its size.
const near = 64

// slot returns which request of the plan answers one for size bytes: the next one, or one further
// on if a part of the run was left out; -1 if there is none. A much smaller block does not take
// the place of a large one that is still to come, nor any behind that.
func (a *Allocator) slot(size int64) int {
	const most = 16 // times larger
	rest := a.planned[min(a.run.at, len(a.planned)):]
	for k, w := range rest[:min(len(rest), near)] {
		if w.size == size {
			return a.run.at + k
		}
		if w.size/most > size {
			return -1
		}
	}
	if len(rest) > 0 && size <= rest[0].size && rest[0].size/most <= size {
		return a.run.at
	}
	for k, w := range rest {
		if size <= w.size && w.size/most <= size {
			return a.run.at + k
		}
	}
	return -1
}

// overdue notes which planned blocks ought to have been released before request k of the plan.
func (a *Allocator) overdue(k int) {
	for until := a.run.at; until <= k; until++ {
		for _, slot := range a.run.due[until] {
			place := Place{Offset: a.offsets[slot]}
			if b, inUse := a.blocks[place]; inUse && b.slot == slot {
				a.run.late[place] = b.size
				a.run.renew = true
			}
		}
		delete(a.run.due, until)
	}
}

// collides reports whether a planned place has bytes of a block that is in use for longer than
// it was planned for. All others are apart, since the plan is right.
func (r *run) collides(place Place, size int64) bool {
	if r.taken != nil {
		return !r.taken.isFree(place.Offset, size)
	}
	for late, bytes := range r.late {
		if late.Offset < place.Offset+size && place.Offset < late.Offset+bytes {
			return true
		}
	}
	return false
}

// observe makes what a run was like part of the profile, and reports whether that has changed.
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

// records returns what is known of requests as records: those that are kept have no bytes.
func (a *Allocator) records(list []want) []lifetime.Record {
	records := make([]lifetime.Record, len(list))
	for k, w := range list {
		records[k] = lifetime.Record{First: k, Last: max(w.last, k), Size: integer.RoundUp(max(w.size, 1), a.granule), Align: a.granule}
		if w.kept {
			records[k].Size = 0
		}
	}
	return records
}

// replan plans the profile.
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
	for place, b := range a.blocks { // what outlives a run may lie above the plan
		if !place.Pooled {
			a.stats.Arena = max(a.stats.Arena, place.Offset+integer.RoundUp(max(b.size, 1), a.granule))
		}
	}
	a.stats.Reserved = max(a.stats.Reserved, plan.Total+a.pool.Reserved())
	return nil
}

// largestOnTop returns a plan in which all that is in use when the largest block comes lies together
// at the bottom; nil where there is none. Where a later run has more of it, or a larger block, the
// memory grows by the difference alone.
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
