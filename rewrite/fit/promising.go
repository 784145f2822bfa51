package fit

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// promising returns the points that may meet the goal, the cheapest first; without a budget
// all, the smallest head first.
func (f *fitter) promising(points []point) (list []point) {
	g := f.goal
	for _, p := range points {
		if f.worthwhile(p) && (g.Head == 0 || p.peak <= g.Head) && (g.Arena == 0 || f.arena(p.peak, p.cost) <= g.Arena) {
			list = append(list, p)
		}
	}
	switch {
	case g.Arena > 0: // which bounds the tail
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(a.macs, b.macs), cmp.Compare(a.tail, b.tail), cmp.Compare(a.peak, b.peak))
		})
	case g.Head > 0:
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(f.growth(a.cost, 1), f.growth(b.cost, 1)), cmp.Compare(a.peak, b.peak))
		})
	default: // the first is the best, unless its plan is not
		slices.Reverse(list)
	}
	return list
}

// near returns the points that are worthwhile, those first that likely come closest to the
// budget.
func (f *fitter) near(points []point) []point {
	bytes := func(p point) int64 {
		if f.goal.Arena > 0 {
			return p.peak + p.sure + 2*p.tail
		}
		return p.peak + p.sure
	}
	// What is a gain only where tensors share memory as well as they can comes last.
	doubt := func(p point) int {
		if p.peak = p.sure; f.worthwhile(p) {
			return 0
		}
		return 1
	}
	list := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return !f.worthwhile(p) })
	slices.SortStableFunc(list, func(a, b point) int {
		return cmp.Or(cmp.Compare(doubt(a), doubt(b)), cmp.Compare(bytes(a), bytes(b)))
	})
	return list
}

// worthwhile reports whether a point may be a gain, for no more work than is wanted.
func (f *fitter) worthwhile(p point) bool {
	best := f.best()
	return len(p.stages()) > 0 && p.peak < best.Head && f.cheap(p.cost) && f.arena(p.peak, p.cost) <= max(best.Smallest, f.room)
}

// cheap reports whether a path is no more work than is wanted.
func (f *fitter) cheap(p cost) bool {
	return f.goal.MaxOverhead < 0 || float64(p.macs) <= f.goal.MaxOverhead*float64(f.report.OwnMACs)
}

// arena returns the smallest arena that a path likely needs with a head, in bytes.
func (f *fitter) arena(head int64, p cost) int64 {
	return max(head+f.tail, f.setup+p.setup) + p.tail
}

// growth is what a path adds to the work of the model, at a price, and to what it keeps in
// memory, each as a part of what there was, and, with a tenth of the weight, to the file.
func (f *fitter) growth(p cost, work float64) float64 {
	own := f.report.Rungs[0]
	return work*float64(p.macs)/float64(max(f.report.OwnMACs, 1)) + float64(p.tail)/float64(max(own.Smallest, 1)) +
		float64(p.file)/float64(max(own.FileBytes, 1))/10
}
