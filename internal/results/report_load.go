package results

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A tileLoad counts the bytes and the tensors in use at each half step.
type tileLoad struct {
	bytes   []int64
	tensors []int
}

func newTileLoad(last int) *tileLoad {
	return &tileLoad{make([]int64, 2*last+3), make([]int, 2*last+3)}
}

// add counts a tensor.
func (l *tileLoad) add(lives []lifetime.Life) {
	ordered := slices.Clone(lives)
	slices.SortFunc(ordered, func(a, b lifetime.Life) int { return a.First - b.First })
	until := -1 // the last half step, so far, that uses some of its bytes
	for _, x := range ordered {
		l.bytes[x.First] += x.Hi - x.Lo
		l.bytes[x.Last+1] -= x.Hi - x.Lo
		if x.Last <= until {
			continue
		}
		l.tensors[max(x.First, until+1)]++
		l.tensors[x.Last+1]--
		until = x.Last
	}
}

// sections returns the maximum of both halves of each step.
func (l *tileLoad) sections() (list []lifetime.Section) {
	var bytes int64
	tensors := 0
	for half := range l.bytes[:len(l.bytes)-1] {
		if half%2 == 0 {
			list = append(list, lifetime.Section{First: half / 2, Last: half / 2})
		}
		bytes, tensors = bytes+l.bytes[half], tensors+l.tensors[half]
		s := &list[half/2]
		s.Breadth, s.Alive = max(s.Breadth, bytes), max(s.Alive, tensors)
	}
	return list
}
