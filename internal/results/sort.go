package results

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// Sort keys of lists of models: names, ascending; arenas, descending; and possible gains, descending.
const (
	byName  = "name"
	byArena = "arena"
	byGain  = "gain"
)

// Sorts returns the keys of [SortAnalyses] and [SortChecks].
func Sorts() []string { return []string{byName, byArena, byGain} }

// SortAnalyses sorts analyses stably by one of [Sorts]; "" keeps their order.
func SortAnalyses(list []*Analysis, by string) {
	sorted(list, by, func(a *Analysis) (string, int64, int64) {
		return a.Input, a.total(), a.total() - a.least()
	})
}

// SortChecks is [SortAnalyses] for checks.
func SortChecks(list []*Check, by string) {
	sorted(list, by, func(c *Check) (string, int64, int64) {
		return c.Input, c.Used, c.Used - c.best
	})
}

func sorted[T any](list []T, by string, of func(T) (name string, arena, gain int64)) {
	slices.SortStableFunc(list, func(x, y T) int {
		name, arena, gain := of(x)
		other, otherArena, otherGain := of(y)
		switch by {
		case byName:
			return cmp.Compare(name, other)
		case byArena:
			return cmp.Compare(otherArena, arena)
		case byGain:
			return cmp.Compare(otherGain, gain)
		}
		return 0
	})
}
