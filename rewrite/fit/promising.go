package fit

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// promising returns the points that may meet the goal, the cheapest first, or the one that
// comes closest; without a budget all, the smallest head first.
func (f *fitter) promising(points []point) (list []point) {
	g, best := f.goal, f.best()
	var beyond []point
	for _, p := range points {
		arena := max(p.peak, best.Planning) + f.tail + p.tail
		switch {
		case len(p.stages()) == 0 || p.peak >= best.Head || arena > best.Arena && !f.least():
		case g.MaxOverhead >= 0 && float64(p.macs) > g.MaxOverhead*float64(f.report.OwnMACs):
		case g.Head > 0 && p.peak > g.Head || g.Arena > 0 && arena > g.Arena:
			beyond = append(beyond, p)
		default:
			list = append(list, p)
		}
	}
	if len(list) == 0 && len(beyond) > 0 {
		return beyond[f.closest(beyond):][:1]
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

// closest returns the place of the point that likely comes closest to the budget.
func (f *fitter) closest(points []point) (at int) {
	bytes := func(p point) int64 {
		if f.goal.Arena > 0 {
			return p.peak + p.sure + 2*p.tail
		}
		return p.peak + p.sure
	}
	for k, p := range points {
		if bytes(p) < bytes(points[at]) {
			at = k
		}
	}
	return at
}

// growth is what a path adds to the work of the model, at a price, and to what it keeps in
// memory, each as a part of what there was, and, with a tenth of the weight, to the file.
func (f *fitter) growth(p cost, work float64) float64 {
	own := f.report.Rungs[0]
	return work*float64(p.macs)/float64(max(f.report.OwnMACs, 1)) + float64(p.tail)/float64(max(own.Arena, 1)) +
		float64(p.file)/float64(max(own.FileBytes, 1))/10
}
