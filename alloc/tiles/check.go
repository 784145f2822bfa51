package tiles

import (
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/lifetime"
)

// Check returns an error if a plan is wrong. It follows the steps on a map of the arena that has
// the last writer of each byte. A read must find its own tensor, no two tensors may write the same
// byte in one step, and with [lifetime.Simultaneous] no tensor may be written over a byte that the
// same step reads of another. Check uses neither lifetimes nor distances, and shares no code with
// the planner.
//
// Problems without any right plan are errors as well: accesses outside their tensor or out of
// order, and reads of bytes that were never written. Bytes between two neighbouring ends of
// accesses are followed as one.
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

// A byteMap has the state of the bytes between each two neighbouring ends of accesses.
type byteMap struct {
	cuts  cuts
	cells []cell
}

// A cell has the last writer of some bytes and the last steps that read and wrote them; -1 is none.
type cell struct{ owner, read, written int32 }

func newByteMap(moves []move) *byteMap {
	m := &byteMap{cuts: newCuts(moves)}
	m.cells = make([]cell, m.cuts.len())
	for k := range m.cells {
		m.cells[k] = cell{-1, -1, -1}
	}
	return m
}

// move follows one move. It returns a fault, or an empty string.
func (m *byteMap) move(a move, s lifetime.Semantics) string {
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
			if c.written == step || c.read == step && s != lifetime.Atomic {
				return c.miswritten(a, m.at(a, k))
			}
			c.owner = a.tensor
		}
		c.written = step
	}
	return ""
}

// at returns the address of the k-th cell of a move.
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
