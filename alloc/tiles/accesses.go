package tiles

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// An access reads or writes bytes [lo, hi) of the arena.
type access struct {
	lo, hi int64
	tensor int32
	// order orders accesses: twice the step, plus one for a write.
	order uint32
}

func accessOf(a lifetime.Access, tensor int, at int64) access {
	m := access{lo: at + a.Lo, hi: at + a.Hi, tensor: int32(tensor), order: 2 * uint32(a.Step)}
	if a.Write {
		m.order++
	}
	return m
}

func (m access) step() int32 { return int32(m.order / 2) }

func (m access) writes() bool { return m.order%2 == 1 }

// accessesOf returns all accesses in order of steps, the reads of a step before its writes. It returns
// an error about accesses outside their tensor, out of order or in too large a step.
func accessesOf(p Problem, offsets []int64) ([]access, error) {
	count := 0
	for _, t := range p.Tensors {
		count += len(t.Accesses) + 2
	}
	accesses := make([]access, 0, count)
	for i, t := range p.Tensors {
		step := 0
		for k, a := range t.Accesses {
			if a.Lo < 0 || a.Lo >= a.Hi || a.Hi > t.Size {
				return nil, fmt.Errorf("tensor %d, access %d: bytes [%d, %d) are none, or not all within its %d", i, k, a.Lo, a.Hi, t.Size)
			}
			if a.Step < step {
				return nil, fmt.Errorf("tensor %d, access %d: step %d comes after step %d", i, k, a.Step, step)
			}
			if a.Step > lifetime.MaxStep {
				return nil, fmt.Errorf("tensor %d, access %d: step %d is above the largest, %d", i, k, a.Step, lifetime.MaxStep)
			}
			step = a.Step
			accesses = append(accesses, accessOf(a, i, offsets[i]))
		}
		if w := t.Whole; w != nil && t.Size > 0 {
			if w.First < 0 || w.First > w.Last || w.Last > lifetime.MaxStep {
				return nil, fmt.Errorf("tensor %d: it is in use as a whole from step %d to %d, which is no time from 0 to %d", i, w.First, w.Last, lifetime.MaxStep)
			}
			accesses = append(accesses, accessOf(lifetime.Access{Step: w.First, Write: true, Hi: t.Size}, i, offsets[i]))
			if w.Last > w.First {
				accesses = append(accesses, accessOf(lifetime.Access{Step: w.Last, Hi: t.Size}, i, offsets[i]))
			}
		}
	}
	return inOrder(accesses), nil
}

// inOrder sorts accesses by order: a radix sort, least significant digit first.
func inOrder(accesses []access) []access {
	const bits = 11
	var most uint32
	for _, a := range accesses {
		most = max(most, a.order)
	}
	other := make([]access, len(accesses))
	for shift := 0; most>>shift > 0; shift += bits {
		var at [1<<bits + 1]int // the index of the first access with each digit
		for _, a := range accesses {
			at[a.order>>shift%(1<<bits)+1]++
		}
		for k := range 1 << bits {
			at[k+1] += at[k]
		}
		for _, a := range accesses {
			k := a.order >> shift % (1 << bits)
			other[at[k]] = a
			at[k]++
		}
		accesses, other = other, accesses
	}
	return accesses
}
