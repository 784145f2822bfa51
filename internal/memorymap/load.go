package memorymap

import (
	"sort"

	"github.com/tflarena/tflarena/lifetime"
)

// A load counts the held bytes and the records that hold some at each half position.
type load []loadChange

// A loadChange is bytes and records that are added from a half position on.
type loadChange struct {
	half    int
	bytes   int64
	records int
}

// add counts a record.
func (l *load) add(lives []lifetime.Life) {
	ordered := append([]lifetime.Life(nil), lives...)
	sort.Slice(ordered, func(i, j int) bool { return ordered[i].First < ordered[j].First })
	until := -1 // the last half position, so far, at which it holds bytes
	for _, x := range ordered {
		*l = append(*l, loadChange{x.First, x.Hi - x.Lo, 0}, loadChange{x.Last + 1, x.Lo - x.Hi, 0})
		if x.Last > until {
			*l = append(*l, loadChange{max(x.First, until+1), 0, 1}, loadChange{x.Last + 1, 0, -1})
			until = x.Last
		}
	}
}

// sections returns the load of each position, from the first one with bytes on: the maximum of its
// halves. Successive sections differ.
func (l load) sections() (list []lifetime.Section) {
	sort.Slice(l, func(i, j int) bool { return l[i].half < l[j].half })
	var now lifetime.Section
	for i, c := range l {
		now.Breadth, now.Alive = now.Breadth+c.bytes, now.Alive+c.records
		if i+1 == len(l) || l[i+1].half == c.half {
			continue
		}
		now.First, now.Last = c.half/2, (l[i+1].half-1)/2
		if n := len(list); n > 0 && list[n-1].Last == now.First { // the position has halves of both
			list = append(list, lifetime.Section{
				First: now.First, Last: now.First, Breadth: max(now.Breadth, list[n-1].Breadth), Alive: max(now.Alive, list[n-1].Alive),
			})
			list[n-1].Last--
			now.First++
		}
		list = append(list, now)
	}
	return merged(list)
}

// merged leaves out empty sections and joins equal ones.
func merged(list []lifetime.Section) (kept []lifetime.Section) {
	for _, s := range list {
		switch n := len(kept); {
		case s.First > s.Last:
		case n > 0 && kept[n-1].Breadth == s.Breadth && kept[n-1].Alive == s.Alive && kept[n-1].Last+1 == s.First:
			kept[n-1].Last = s.Last
		default:
			kept = append(kept, s)
		}
	}
	return kept
}
