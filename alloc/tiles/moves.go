package tiles

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// A move is an access to bytes [lo, hi) of the arena.
type move struct {
	lo, hi int64
	tensor int32
	// turn orders moves: twice the step, plus one for a write.
	turn uint32
}

func moveOf(a lifetime.Access, tensor int, at int64) move {
	m := move{lo: at + a.Lo, hi: at + a.Hi, tensor: int32(tensor), turn: 2 * uint32(a.Step)}
	if a.Write {
		m.turn++
	}
	return m
}

func (m move) step() int32 { return int32(m.turn / 2) }

func (m move) writes() bool { return m.turn%2 == 1 }

// movesOf returns all accesses in order of steps, the reads of a step before its writes. It returns
// an error about accesses outside their tensor, out of order or in too large a step.
func movesOf(p Problem, offsets []int64) ([]move, error) {
	count := 0
	for _, t := range p.Tensors {
		count += len(t.Accesses) + 2
	}
	moves := make([]move, 0, count)
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
			moves = append(moves, moveOf(a, i, offsets[i]))
		}
		if w := t.Whole; w != nil && t.Size > 0 {
			if w.First < 0 || w.First > w.Last || w.Last > lifetime.MaxStep {
				return nil, fmt.Errorf("tensor %d: it is in use as a whole from step %d to %d, which is no time from 0 to %d", i, w.First, w.Last, lifetime.MaxStep)
			}
			moves = append(moves, moveOf(lifetime.Access{Step: w.First, Write: true, Hi: t.Size}, i, offsets[i]))
			if w.Last > w.First {
				moves = append(moves, moveOf(lifetime.Access{Step: w.Last, Hi: t.Size}, i, offsets[i]))
			}
		}
	}
	return inOrder(moves), nil
}

// inOrder sorts moves by turn: a radix sort, least significant digit first.
func inOrder(moves []move) []move {
	const bits = 11
	var most uint32
	for _, a := range moves {
		most = max(most, a.turn)
	}
	other := make([]move, len(moves))
	for shift := 0; most>>shift > 0; shift += bits {
		var at [1<<bits + 1]int // the index of the first move with each digit
		for _, a := range moves {
			at[a.turn>>shift%(1<<bits)+1]++
		}
		for k := range 1 << bits {
			at[k+1] += at[k]
		}
		for _, a := range moves {
			k := a.turn >> shift % (1 << bits)
			other[at[k]] = a
			at[k]++
		}
		moves, other = other, moves
	}
	return moves
}
