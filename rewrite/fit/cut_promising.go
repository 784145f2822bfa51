package fit

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// promising returns the paths that may meet the goal, the cheapest first; without a budget all,
// the smallest head first.
func (f *fitter) promising(paths []parts.Path) (list []parts.Path) {
	g := f.goal
	for _, p := range paths {
		if f.worthwhile(p) && (g.HeadBudget == 0 || p.Cost.Peak <= g.HeadBudget) && (g.Budget == 0 || f.arena(p.Cost.Peak, p.Cost) <= g.Budget) {
			list = append(list, p)
		}
	}
	switch {
	case g.Budget > 0: // the budget bounds the tail
		slices.SortStableFunc(list, func(a, b parts.Path) int {
			return cmp.Or(cmp.Compare(a.Cost.MACs, b.Cost.MACs), cmp.Compare(a.Cost.Tail, b.Cost.Tail), cmp.Compare(a.Cost.Peak, b.Cost.Peak))
		})
	case g.HeadBudget > 0:
		slices.SortStableFunc(list, func(a, b parts.Path) int {
			return cmp.Or(cmp.Compare(f.growth(a.Cost, 1), f.growth(b.Cost, 1)), cmp.Compare(a.Cost.Peak, b.Cost.Peak))
		})
	default: // the first is the best, unless planning fails
		slices.Reverse(list)
	}
	return list
}

// near returns the worthwhile paths, those first that probably come closest to the budget.
func (f *fitter) near(paths []parts.Path) []parts.Path {
	bytes := func(p parts.Path) int64 {
		if f.goal.Budget > 0 {
			return p.Cost.Peak + p.Cost.Sure + 2*p.Cost.Tail
		}
		return p.Cost.Peak + p.Cost.Sure
	}
	// Paths that gain only with optimal sharing of memory come last.
	doubt := func(p parts.Path) int {
		if p.Cost.Peak = p.Cost.Sure; f.worthwhile(p) {
			return 0
		}
		return 1
	}
	list := slices.DeleteFunc(slices.Clone(paths), func(p parts.Path) bool { return !f.worthwhile(p) })
	slices.SortStableFunc(list, func(a, b parts.Path) int {
		return cmp.Or(cmp.Compare(doubt(a), doubt(b)), cmp.Compare(bytes(a), bytes(b)))
	})
	return list
}
