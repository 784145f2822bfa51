package tiles

import (
	"fmt"
	"sort"

	"golang.org/x/exp/slices"
)

// Check returns nil when a plan is right for a problem: it follows the steps on a map of the
// arena that says for each byte which tensor wrote it last. A step must find what it reads,
// no two tensors may write the same byte in one step, and with [Simultaneous] none may write a
// byte that the step reads of another. Check uses neither lives nor distances, and shares no
// code with what makes plans.
//
// Besides a plan that is wrong it refuses what no plan is right for: accesses outside their
// tensor or against the order of steps, and bytes that are read before they are written. Bytes
// that lie between the same two ends of accesses are followed as one.
func Check(p Problem, offsets []int64, total int64) error {
	if len(offsets) != len(p.Tensors) {
		return fmt.Errorf("%d offsets for %d tensors", len(offsets), len(p.Tensors))
	}
	var end int64
	for i, t := range p.Tensors {
		switch at := offsets[i]; {
		case at < 0 || t.Align > 1 && at%t.Align != 0:
			return fmt.Errorf("tensor %d is at offset %d, which is negative or no multiple of its alignment %d", i, at, t.Align)
		case t.Size > 0:
			end = max(end, at+t.Size)
		}
	}
	if end != total {
		return fmt.Errorf("the plan says %d bytes, its tensors end at %d", total, end)
	}
	moves, err := movesOf(p, offsets)
	if err != nil {
		return err
	}
	m := newByteMap(moves)
	for len(moves) > 0 {
		n := sort.Search(len(moves), func(k int) bool { return moves[k].step > moves[0].step })
		if err := m.step(p, moves[:n]); err != nil {
			return err
		}
		moves = moves[n:]
	}
	return nil
}

// A byteMap is what became of the bytes between each two places at which an access begins or
// ends.
type byteMap struct {
	cuts []int64
	// owner is the tensor that wrote them last, -1 for none; read and written are the last
	// steps that read and wrote them, -1 for none.
	owner, read, written []int
}

func newByteMap(moves []move) *byteMap {
	ends := make([]int64, 0, 2*len(moves))
	for _, a := range moves {
		ends = append(ends, a.lo, a.hi)
	}
	slices.Sort(ends)
	m := &byteMap{cuts: slices.Compact(ends)}
	m.owner, m.read, m.written = make([]int, len(m.cuts)), make([]int, len(m.cuts)), make([]int, len(m.cuts))
	for k := range m.cuts {
		m.owner[k], m.read[k], m.written[k] = -1, -1, -1
	}
	return m
}

// step follows the moves of one step.
func (m *byteMap) step(p Problem, moves []move) error {
	for _, a := range moves {
		at, _ := slices.BinarySearch(m.cuts, a.lo)
		for ; m.cuts[at] < a.hi; at++ {
			if err := m.move(p, a, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// move follows one move at one place of the map.
func (m *byteMap) move(p Problem, a move, at int) error {
	other := m.owner[at]
	switch {
	case !a.write && other != a.tensor && other < 0:
		return fmt.Errorf("step %d reads byte %d of the arena for tensor %d, and no step before it wrote it", a.step, m.cuts[at], a.tensor)
	case !a.write && other != a.tensor:
		return fmt.Errorf("step %d reads byte %d of the arena for tensor %d, and step %d wrote tensor %d there", a.step, m.cuts[at], a.tensor, m.written[at], other)
	case !a.write:
		m.read[at] = a.step
		return nil
	case other != a.tensor && m.written[at] == a.step:
		return fmt.Errorf("step %d writes byte %d of the arena for tensors %d and %d", a.step, m.cuts[at], other, a.tensor)
	case other != a.tensor && m.read[at] == a.step && p.Semantics != Atomic:
		return fmt.Errorf("step %d writes byte %d of the arena for tensor %d, and reads it for tensor %d", a.step, m.cuts[at], a.tensor, other)
	}
	m.owner[at], m.written[at] = a.tensor, a.step
	return nil
}
