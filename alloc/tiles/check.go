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
	accesses, err := accessesOf(p, offsets)
	if err != nil {
		return err
	}
	m := newByteMap(accesses)
	for _, a := range accesses {
		if fault := m.apply(a, p.Semantics); fault != "" {
			return errors.New(fault)
		}
	}
	return nil
}

// A byteMap has the state of the bytes between each two neighbouring ends of accesses.
type byteMap struct {
	cuts   cuts
	states []byteState
}

// A byteState has the last writer of some bytes and the last steps that read and wrote them; -1 is none.
type byteState struct{ owner, read, written int32 }

func newByteMap(accesses []access) *byteMap {
	m := &byteMap{cuts: newCuts(accesses)}
	m.states = make([]byteState, m.cuts.len())
	for k := range m.states {
		m.states[k] = byteState{-1, -1, -1}
	}
	return m
}

// apply follows one access. It returns a fault, or an empty string.
func (m *byteMap) apply(a access, s lifetime.Semantics) string {
	states, step := m.states[m.cuts.index(a.lo):m.cuts.index(a.hi)], a.step()
	if !a.writes() {
		for k := range states {
			if states[k].owner != a.tensor {
				return states[k].misread(a, m.at(a, k))
			}
			states[k].read = step
		}
		return ""
	}
	for k := range states {
		c := &states[k]
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

// at returns the address of the k-th state of an access.
func (m *byteMap) at(a access, k int) int64 { return m.cuts.byteAt(m.cuts.index(a.lo) + k) }

func (c *byteState) misread(a access, at int64) string {
	if c.owner < 0 {
		return fmt.Sprintf("step %d reads byte %d of the arena for tensor %d, and no step before it wrote it", a.step(), at, a.tensor)
	}
	return fmt.Sprintf("step %d reads byte %d of the arena for tensor %d, and step %d wrote tensor %d there", a.step(), at, a.tensor, c.written, c.owner)
}

func (c *byteState) miswritten(a access, at int64) string {
	if c.written == a.step() {
		return fmt.Sprintf("step %d writes byte %d of the arena for tensors %d and %d", a.step(), at, c.owner, a.tensor)
	}
	return fmt.Sprintf("step %d writes byte %d of the arena for tensor %d, and reads it for tensor %d", a.step(), at, a.tensor, c.owner)
}
