package tiling

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// live returns the peak of bytes in use off chip while a block runs. It is independent of other blocks,
// since data passes between blocks off chip.
func (n *network) live(b *block) int64 {
	local := map[int]*lifetime.Tiled{}
	at := func(t int) *lifetime.Tiled {
		if local[t] == nil {
			local[t] = &lifetime.Tiled{Size: n.tensors[t].bytes}
			if n.tensors[t].producer < b.first {
				local[t].Accesses = []lifetime.Access{{Write: true, Hi: n.tensors[t].bytes}}
			}
		}
		return local[t]
	}
	for k, s := range b.steps {
		for _, a := range s.touches {
			x := at(a.tensor)
			x.Accesses = append(x.Accesses, lifetime.Access{Step: k + 1, Write: a.write, Lo: a.lo, Hi: a.hi})
		}
	}
	var always int64
	change := make([]int64, 2*len(b.steps)+4)
	for t, x := range n.tensors {
		switch tiled := local[t]; {
		case !x.offChip:
		case x.state, tiled == nil && x.producer < b.first && x.lastReader > b.last:
			always += x.bytes
		case tiled != nil:
			if x.lastReader > b.last {
				tiled.Accesses = append(tiled.Accesses, lifetime.Access{Step: len(b.steps) + 1, Hi: x.bytes})
			}
			n.count(tiled, change)
		}
	}
	var now, most int64
	for k, c := range change[:2*len(b.steps)+2] {
		if now += c; k >= 2 {
			most = max(most, now)
		}
	}
	return always + most
}

// count adds the changes in the bytes in use of a tensor at each half step.
func (n *network) count(t *lifetime.Tiled, change []int64) {
	own, whole, err := t.Lives(n.Semantics)
	if err != nil {
		panic("tiling: " + err.Error()) // a block reads only bytes written before
	}
	for _, l := range append(own, whole...) {
		change[l.First] += l.Hi - l.Lo
		if l.Last+1 < len(change) {
			change[l.Last+1] -= l.Hi - l.Lo
		}
	}
}

// Live returns the peak of bytes in use off chip in each of [Schedule.Runs].
func (s *Schedule) Live(semantics lifetime.Semantics) []int64 {
	at := s.profile(semantics)
	most := make([]int64, len(s.Runs))
	for i, r := range s.Runs {
		if r.FirstStep <= r.LastStep {
			most[i] = slices.Max(at[2*r.FirstStep : 2*r.LastStep+2])
		}
	}
	return most
}

// Peak returns the first half step with the most bytes in use off chip, and false if there never are any.
// Step i has the half steps 2i and 2i+1.
func (s *Schedule) Peak(semantics lifetime.Semantics) (half int, ok bool) {
	at := s.profile(semantics)
	most := slices.Max(at)
	return slices.Index(at, most), most > 0
}

// profile returns the bytes in use off chip at each half step.
func (s *Schedule) profile(semantics lifetime.Semantics) []int64 {
	at := make([]int64, 2*s.LastStep+3)
	for _, t := range s.Tensors {
		own, whole, err := t.Lives(semantics)
		if err != nil {
			panic("tiling: " + err.Error()) // a step reads only bytes written before
		}
		for _, l := range append(slices.Clip(own), whole...) {
			at[l.First] += l.Hi - l.Lo
			at[l.Last+1] -= l.Hi - l.Lo
		}
	}
	var now int64
	for k, change := range at {
		now += change
		at[k] = now
	}
	return at
}
