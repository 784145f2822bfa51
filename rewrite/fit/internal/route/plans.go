package route

import (
	"math"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/workers"
)

// How far plans of links are searched for, how many records make one count for two, and how
// many are looked for at the same time, whatever the processors.
const (
	linkNodes   = 2000
	linkRecords = 64
	together    = 4
)

// misfit is where the tensor lies that is handed on when there is no plan.
const misfit = math.MinInt64

// A planned is a part whose tensors at the ends are to be somewhere.
type planned struct {
	part    int
	in, out int64
}

// alone reports whether there is a plan for a part by itself.
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

// places returns where the tensor may be that a part hands on: at the ends of the arena,
// where the likeliest parts behind it can do with it, and anywhere.
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

// plan returns where the tensor lies that a part hands on, misfit where there is no plan,
// when it is to be in some places. They are tried at the same time.
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

// spend counts the plan of a link that is looked for.
func (r *Router) spend(l *inplace.Link) { r.left -= 1 + l.Records()/linkRecords }
