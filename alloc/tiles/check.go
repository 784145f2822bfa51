package tiles

import (
	"errors"
	"fmt"
	"math"
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
		case t.Size > 0 && at > math.MaxInt64-t.Size:
			return fmt.Errorf("tensor %d is at offset %d, and ends above the largest number", i, at)
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
	for _, a := range moves {
		if fault := m.move(a, p.Semantics); fault != "" {
			return errors.New(fault)
		}
	}
	return nil
}

// A byteMap is what became of the bytes between each two places at which an access begins or
// ends.
type byteMap struct {
	cuts  cuts
	cells []cell
}

// A cell is the tensor that wrote some bytes last, -1 for none, and the last steps that read
// and wrote them, -1 for none.
type cell struct{ owner, read, written int32 }

func newByteMap(moves []move) *byteMap {
	m := &byteMap{cuts: newCuts(moves)}
	m.cells = make([]cell, m.cuts.len())
	for k := range m.cells {
		m.cells[k] = cell{-1, -1, -1}
	}
	return m
}

// move follows one move and returns what is wrong with it, nothing if it is right.
func (m *byteMap) move(a move, s Semantics) string {
	cells, step := m.cells[m.cuts.index(a.lo):m.cuts.index(a.hi)], a.step()
	if !a.writes() {
		for k := range cells {
			if cells[k].owner != a.tensor {
				return cells[k].misread(a, m.at(a, k))
			}
			cells[k].read = step
		}
		return ""
	}
	for k := range cells {
		c := &cells[k]
		if c.owner != a.tensor {
			if c.written == step || c.read == step && s != Atomic {
				return c.miswritten(a, m.at(a, k))
			}
			c.owner = a.tensor
		}
		c.written = step
	}
	return ""
}

// at returns the byte of the arena at which the k-th cell of a move begins.
func (m *byteMap) at(a move, k int) int64 { return m.cuts.byteAt(m.cuts.index(a.lo) + k) }

func (c *cell) misread(a move, at int64) string {
	if c.owner < 0 {
		return fmt.Sprintf("step %d reads byte %d of the arena for tensor %d, and no step before it wrote it", a.step(), at, a.tensor)
	}
	return fmt.Sprintf("step %d reads byte %d of the arena for tensor %d, and step %d wrote tensor %d there", a.step(), at, a.tensor, c.written, c.owner)
}

func (c *cell) miswritten(a move, at int64) string {
	if c.written == a.step() {
		return fmt.Sprintf("step %d writes byte %d of the arena for tensors %d and %d", a.step(), at, c.owner, a.tensor)
	}
	return fmt.Sprintf("step %d writes byte %d of the arena for tensor %d, and reads it for tensor %d", a.step(), at, a.tensor, c.owner)
}
