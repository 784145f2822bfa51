package replay

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// overdue notes which planned blocks ought to have been released before request k.
func (a *Allocator) overdue(k int) {
	for _, request := range a.run.due[k] {
		place := Place{Offset: a.offsets[request]}
		if b, inUse := a.blocks[place]; inUse && b.request == request {
			a.run.late[place] = b.size
			a.run.renew = true
		}
	}
	delete(a.run.due, k)
}

// collides reports whether a planned place has bytes of a block that is in use for longer than
// it was planned for. All others are apart, since the plan is right.
func (r *run) collides(place Place, size int64) bool {
	for late, bytes := range r.late {
		if late.Offset < place.Offset+size && place.Offset < late.Offset+bytes {
			return true
		}
	}
	return false
}

// observe adds what a run was like to the profile: the k-th request is as large as it ever was,
// and in use for as long.
func (a *Allocator) observe() {
	for _, b := range a.blocks {
		if b.request >= 0 {
			a.run.observed[b.request].kept = true
		}
	}
	for k, o := range a.run.observed {
		if k == len(a.profile) {
			a.profile = append(a.profile, want{last: k})
		}
		w := &a.profile[k]
		w.kept = w.kept || o.kept
		w.size, w.last = max(w.size, o.size), max(w.last, o.last)
	}
}

// replan plans the profile.
func (a *Allocator) replan(ctx context.Context) error {
	planned := slices.Clone(a.profile)
	var records []lifetime.Record
	var of []int
	for k, w := range planned {
		if !w.kept {
			records = append(records, lifetime.Record{First: k, Last: w.last, Size: roundUp(max(w.size, 1), a.granule), Align: a.granule})
			of = append(of, k)
		}
	}
	plan, err := alloc.Solve(ctx, records, a.opt)
	if err != nil {
		return err
	}
	a.planned, a.offsets = planned, make([]int64, len(planned))
	for n, k := range of {
		a.offsets[k] = plan.Offsets[n]
	}
	a.stats.Plans++
	a.stats.Arena, a.stats.LowerBound = plan.Total, plan.LowerBound
	a.stats.ArenaPeak = max(a.stats.ArenaPeak, plan.Total)
	return nil
}
