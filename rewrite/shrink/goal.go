package shrink

import (
	"cmp"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Goal is the target of a search.
type Goal struct {
	// Budget and HeadBudget limit the required arena and the head, inclusive, in bytes; zero
	// means none. With a head budget alone, the required arena must not grow.
	Budget, HeadBudget int64
	// LeastHead asks for the smallest head instead of the smallest required arena. It is for goals
	// without budgets.
	LeastHead bool
	// MaxOverhead is the maximum of extra multiply-accumulates, as a fraction of the model's
	// own; negative means unlimited.
	MaxOverhead float64
	// Alias is the highest level of permitted in-place outputs. With Auto, the result is of the first level that meets the
	// budgets, since that is valid for the most kernels, or of the one that comes closest. Without budgets, it has the smallest
	// required arena, and LeastHead does not count.
	Alias rules.Alias
	Auto  bool
	// Device is the target.
	Device rules.Device
	// Substitute permits rules whose outputs are bit-identical with the device's kernels, but perhaps not in LiteRT.
	// NoAssertions says that the device's build has no assertions (NDEBUG).
	Substitute, NoAssertions bool
	// Rounds is the number of rounds of the search, each with more work than the one before; zero
	// means all.
	Rounds int
	// Force overrides the rewriter's refusals that can be overridden.
	Force bool
	// Progress, if set, is called with the progress of a search for tilings.
	Progress func(done, all int)

	// tuning replaces the standard one if it is not nil; without is the name of a proposer that is not
	// called.
	tuning  *tuning
	without string
	// first ends a search at the first model within the budgets, tiled or not.
	first bool
	// quick leaves out the neighbours of the best candidates, which take as long as everything else.
	quick bool
	// room limits the required arena in bytes if the head has a budget: it must not grow, unless a
	// budget permits that. Zero means no limit.
	room int64
}

// bounded reports whether the goal has a budget.
func (g *Goal) bounded() bool { return g.Budget > 0 || g.HeadBudget > 0 }

// met reports whether a cost is within the budgets. Nothing meets a goal without budgets.
func (g *Goal) met(c *Cost) bool { return g.bounded() && g.excess(c) == 0 && g.excessWork(c) == 0 }

// excess returns by how much a cost exceeds the budgets, as the sum of the fractions of each.
func (g *Goal) excess(c *Cost) float64 {
	over := func(bytes, budget int64) float64 {
		if budget == 0 || bytes <= budget {
			return 0
		}
		return float64(bytes-budget) / float64(budget)
	}
	const outside = 1000 // an arena that has grown comes after all others
	return over(c.Required, g.Budget) + over(c.Head, g.HeadBudget) + outside*over(c.Required, g.room)
}

// excessWork returns by how much a cost exceeds the permitted overhead.
func (g *Goal) excessWork(c *Cost) float64 {
	if g.MaxOverhead < 0 {
		return 0
	}
	return max(0, c.Overhead-g.MaxOverhead)
}

// Step is the difference in overhead that matters, as a fraction of the model's own
// multiply-accumulates.
const Step = 0.01

// Compare returns a negative number if cost a is better than b, a positive one if b is better, and
// zero if neither is. With budgets, the better one is within the budgets, or else closer to them. Then
// it has less overhead, in steps of 1 %, a smaller required arena, fewer operators, and a smaller file.
// Without budgets, the smaller required arena comes first, or the smaller head.
func (g *Goal) Compare(a, b *Cost) int {
	least := func(c *Cost) int64 {
		switch {
		case g.bounded():
			return 0
		case g.LeastHead:
			return c.Head
		}
		return c.Required
	}
	steps := func(c *Cost) int { return int(c.Overhead / Step) }
	return cmp.Or(
		cmp.Compare(g.excessWork(a), g.excessWork(b)), cmp.Compare(g.excess(a), g.excess(b)), cmp.Compare(least(a), least(b)),
		cmp.Compare(steps(a), steps(b)), cmp.Compare(a.Required, b.Required), cmp.Compare(a.Operators, b.Operators),
		cmp.Compare(a.FileBytes-a.record, b.FileBytes-b.record), cmp.Compare(a.Head, b.Head),
	)
}
