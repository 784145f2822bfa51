package route

import (
	"math"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/workers"
)

// Node limit of the search for a link's plan, number of records for which a link counts once
// more, and number of concurrent searches, independent of the number of processors.
const (
	linkNodes   = 2000
	linkRecords = 64
	together    = 4
)

// misfit is the offset of a part's handed-on tensor if there is no plan.
const misfit = math.MinInt64

// planned is a part with requested offsets of the tensors at its ends.
type planned struct {
	part    int
	in, out int64
}

// alone reports whether a part by itself has a plan.
func (r *Router) alone(k int) bool {
	l := r.links.of(k)
	if l == nil {
		return false
	}
	if fits, known := r.links.fit(k, r.limit); known {
		return fits
	}
	for _, offsets := range l.Free(r.ctx, r.limit, linkNodes) {
		r.spend(l)
		if offsets != nil {
			r.links.note(k, r.limit, true)
			return true
		}
	}
	if r.ctx.Err() == nil {
		r.links.note(k, r.limit, false)
	}
	return false
}

// places returns the offsets to try for the tensor that a part hands on: the ends of the arena,
// the offsets that suit the most promising next parts, and anywhere.
func (r *Router) places(k int) []int64 {
	if list, ok := r.outs[k]; ok {
		return list
	}
	list := []int64{inplace.Anywhere}
	if p := &r.links.parts[k]; p.To < r.row().Len() && r.row().Crossing(p.To) >= 0 {
		var next []*inplace.Link
		for _, n := range r.next[p.To][:min(2, len(r.next[p.To]))] {
			if l := r.links.of(n); l != nil {
				r.spend(l)
				next = append(next, l)
			}
		}
		list = r.links.of(k).Places(r.ctx, r.limit, linkNodes, next...)
	}
	r.outs[k] = list
	return list
}

// plan returns the resulting offset of the tensor that a part hands on, for each requested
// offset, or misfit. The searches run concurrently.
func (r *Router) plan(part int, in int64, outs []int64) []int64 {
	places := make([]int64, len(outs))
	l := r.links.of(part)
	var wait workers.Group
	for k, out := range outs {
		if place, ok := r.plans[planned{part, in, out}]; ok {
			places[k] = place
			continue
		}
		r.spend(l)
		wait.Go(func() {
			places[k] = misfit
			if offsets, ok := l.Fit(r.ctx, r.limit, linkNodes, in, out); ok {
				places[k] = l.Out(offsets)
			}
		})
	}
	wait.Wait()
	for k, out := range outs {
		r.plans[planned{part, in, out}] = places[k]
	}
	return places
}

// spend counts the search for a link's plan.
func (r *Router) spend(l *inplace.Link) { r.left -= 1 + l.Records()/linkRecords }
