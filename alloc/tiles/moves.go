package tiles

import "fmt"

// A move is an access, with its bytes in the arena.
type move struct {
	step, tensor int
	write        bool
	lo, hi       int64
}

// movesOf returns all accesses in order of steps, and the reads of a step before its writes.
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
			step = a.Step
			moves = append(moves, move{step: a.Step, tensor: i, write: a.Write, lo: offsets[i] + a.Lo, hi: offsets[i] + a.Hi})
		}
		if w := t.Whole; w != nil && t.Size > 0 {
			moves = append(moves, move{step: w.First, tensor: i, write: true, lo: offsets[i], hi: offsets[i] + t.Size})
			if w.Last > w.First {
				moves = append(moves, move{step: w.Last, tensor: i, lo: offsets[i], hi: offsets[i] + t.Size})
			}
		}
	}
	return inOrder(moves), nil
}

// inOrder sorts moves by step, and those of one step by kind: a pass for each byte of what
// they are sorted by, the lowest first.
func inOrder(moves []move) []move {
	key := func(a move) uint64 {
		k := 2 * uint64(a.step)
		if a.write {
			k++
		}
		return k
	}
	var most uint64
	for _, a := range moves {
		most = max(most, key(a))
	}
	other := make([]move, len(moves))
	for shift := 0; most>>shift > 0; shift += 8 {
		var at [257]int // where those with each byte begin
		for _, a := range moves {
			at[key(a)>>shift&0xff+1]++
		}
		for k := range 256 {
			at[k+1] += at[k]
		}
		for _, a := range moves {
			k := key(a) >> shift & 0xff
			other[at[k]] = a
			at[k]++
		}
		moves, other = other, moves
	}
	return moves
}
