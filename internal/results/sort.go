package results

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

// Sorts are what lists of models can be sorted by: names, from A to Z; arenas, the largest
// first; and how much is to be gained, the most first.
func Sorts() []string { return []string{"name", "arena", "gain"} }

// SortAnalyses sorts analyses by one of [Sorts]; equal ones stay in their order.
func SortAnalyses(list []*Analysis, by string) error {
	return sorted(list, by, func(a *Analysis) (string, int64, int64) {
		return a.Input, a.total(), a.total() - a.least()
	})
}

// SortChecks is [SortAnalyses] for checks.
func SortChecks(list []*Check, by string) error {
	return sorted(list, by, func(c *Check) (string, int64, int64) {
		return c.Input, c.ArenaBytes, c.ArenaBytes - c.best
	})
}

func sorted[T any](list []T, by string, of func(T) (name string, arena, gain int64)) error {
	var less func(x, y T) int
	switch by {
	case "":
		return nil
	case "name":
		less = func(x, y T) int {
			a, _, _ := of(x)
			b, _, _ := of(y)
			return cmp.Compare(a, b)
		}
	case "arena":
		less = func(x, y T) int {
			_, a, _ := of(x)
			_, b, _ := of(y)
			return cmp.Compare(b, a)
		}
	case "gain":
		less = func(x, y T) int {
			_, _, a := of(x)
			_, _, b := of(y)
			return cmp.Compare(b, a)
		}
	default:
		return fmt.Errorf("--sort %q: use %s", by, strings.Join(Sorts(), ", "))
	}
	slices.SortStableFunc(list, less)
	return nil
}
