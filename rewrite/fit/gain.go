package fit

import (
	"cmp"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/tflite"
)

// better reports whether a rung is a gain. A model that LiteRT runs incorrectly is never one,
// unless LiteRT also runs the original incorrectly.
func (f *fitter) better(r *Rung) bool {
	return r.Head < f.best().Head && r.Required <= max(f.best().Required, f.room) && f.right(r)
}

func (f *fitter) right(r *Rung) bool { return !r.wrong || f.report.Rungs[0].wrong }

// keep adds a rung and its model if it is better than the best so far.
func (f *fitter) keep(r *Rung, m *tflite.Model) bool {
	if !f.better(r) {
		return false
	}
	b := f.best()
	r.ExtraMACs = cmp.Or(r.ExtraMACs, b.ExtraMACs)
	r.Moved, r.Removed = r.Moved+b.Moved, r.Removed+b.Removed
	if r.Stages == nil {
		r.Stages = b.Stages
	}
	f.report.Rungs = append(f.report.Rungs, *r)
	f.model = m
	return true
}

// prefers reports whether rung a is a better end of the ladder than b: within the goal at the
// lowest cost, or else closest to it.
func (f *fitter) prefers(a, b *Rung) bool {
	met := f.goal.met(a)
	switch {
	case met != f.goal.met(b):
		return met
	case met && f.goal.Budget > 0:
		return cmp.Or(cmp.Compare(a.ExtraMACs, b.ExtraMACs), cmp.Compare(a.Required, b.Required)) < 0
	case met:
		return cmp.Or(cmp.Compare(f.price(a), f.price(b)), cmp.Compare(a.Head, b.Head)) < 0
	case f.goal.Budget > 0:
		return cmp.Or(cmp.Compare(a.Required, b.Required), cmp.Compare(a.Head, b.Head)) < 0
	}
	return cmp.Or(cmp.Compare(a.Head, b.Head), cmp.Compare(a.ExtraMACs, b.ExtraMACs), cmp.Compare(a.Used, b.Used)) < 0
}

// price is [fitter.growth] of a rung, not counting its record of tiled blocks.
func (f *fitter) price(r *Rung) float64 {
	own := f.report.Rungs[0]
	return f.growth(parts.Cost{MACs: r.ExtraMACs, Tail: r.Tail - own.Tail, File: r.FileBytes - r.record - own.FileBytes + own.record}, 1)
}

// worthwhile reports whether a path may be a gain within the permitted overhead.
func (f *fitter) worthwhile(p parts.Path) bool {
	best, peak := f.best(), p.Cost.Peak
	return len(p.Stages()) > 0 && peak < best.Head && f.cheap(p.Cost) && f.arena(peak, p.Cost) <= max(best.Required, f.room)
}

// cheap reports whether a path is within the permitted overhead.
func (f *fitter) cheap(c parts.Cost) bool {
	return f.goal.MaxOverhead < 0 || float64(c.MACs) <= f.goal.MaxOverhead*float64(f.report.OwnMACs)
}

// arena returns the estimated required arena of a path with a head, in bytes.
func (f *fitter) arena(head int64, c parts.Cost) int64 {
	return max(head+f.tail, f.setup+c.Setup) + c.Tail
}

// growth returns the weighted relative growth caused by a path: of the MACs, at price work, of
// the persistent memory, and, with a tenth of the weight, of the file.
func (f *fitter) growth(c parts.Cost, work float64) float64 {
	own := f.report.Rungs[0]
	return work*float64(c.MACs)/float64(max(f.report.OwnMACs, 1)) + float64(c.Tail)/float64(max(own.Required, 1)) +
		float64(c.File)/float64(max(own.FileBytes, 1))/10
}
