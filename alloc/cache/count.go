package cache

import (
	"errors"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// ErrTooLong is the error for runs that take too long to simulate.
var ErrTooLong = errors.New("the run or its memory is too large to simulate")

// A Problem is a cache, and a run whose tensors a plan places.
type Problem struct {
	Geometry
	Records []lifetime.Record
	// Walk is the run: see [Walk].
	Walk []Access
	// Constants is the address of the memory of constants, in bytes: a multiple of the line, at or above
	// the end of the arena, which begins at 0.
	Constants int64
	// Forbidden is as in alloc.Options: nil if records that are alive together share no byte.
	Forbidden func(a, b int) []lifetime.Range
	// Seed selects the random numbers of [Improve], and Work is the limit of its work, about the number
	// of simulated accesses; zero means a default that takes a few seconds.
	Seed uint64
	Work int64
}

// Counts are the accesses to lines in a run, and those that miss.
type Counts struct {
	Accesses, Misses int64
	// Cold is the number of different lines, each of which misses once in any cache.
	Cold int64
}

// Address returns the address of the first byte of an access in a plan.
func (p *Problem) Address(a Access, offsets []int64) int64 {
	if a.Record < 0 {
		return p.Constants + a.Offset
	}
	return offsets[a.Record] + a.Offset
}

// Count simulates a run with a plan, given by its offsets in bytes. It returns the error
// of [Geometry.Check], or [ErrTooLong].
func Count(p Problem, offsets []int64) (Counts, error) {
	s, err := newSimulation(p, offsets)
	if err != nil {
		return Counts{}, err
	}
	return s.count(offsets), nil
}

// A simulation counts misses of plans that end where memory does.
type simulation struct {
	Problem
	memory      int64 // bytes
	exact, cold *lru
	done        int64 // work
}

func newSimulation(p Problem, offsets []int64) (*simulation, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	s := &simulation{Problem: p, memory: max(p.Constants, end(p.Records, offsets))}
	var accesses int64
	for _, a := range p.Walk {
		s.memory = max(s.memory, p.Address(a, offsets)+a.Size)
		accesses += a.Size/p.Line + 2
		if max(s.memory/p.Line, accesses) > maxLines {
			return nil, fmt.Errorf("%w: more than %s lines of %s", ErrTooLong, units.Number(maxLines), units.ExactBytes(p.Line))
		}
	}
	s.exact = newLRU(p.Geometry, s.memory)
	lines := int64(s.exact.lines)
	if lines > 0 {
		s.cold = newLRU(Geometry{lines * p.Line, p.Line, lines}, s.memory)
	}
	return s, nil
}

func (s *simulation) count(offsets []int64) (n Counts) {
	n.Accesses, n.Misses = s.run(s.exact, offsets, math.MaxInt64)
	if s.cold != nil {
		_, n.Cold = s.run(s.cold, offsets, math.MaxInt64)
	}
	return n
}

// fewest returns a lower bound of the misses of all plans: the lines of the constants, and those of the
// bytes that records take at the same time, unless these may share bytes.
func (s *simulation) fewest() (lines int64) {
	if s.cold == nil {
		return 0
	}
	s.cold.clear()
	whole := make([]lifetime.Record, len(s.Records)) // those that are accessed as a whole
	for _, a := range s.Walk {
		switch {
		case a.Record < 0:
			_, missed := s.cold.touch(s.Address(a, nil), a.Size)
			lines += missed
		case a.Offset == 0 && a.Size == s.Records[a.Record].Size && s.Forbidden == nil:
			whole[a.Record] = s.Records[a.Record]
		}
	}
	return lines + (lifetime.MaxBreadth(whole)+s.Line-1)/s.Line
}

// run simulates a run with a cache. It ends once there are more misses than the limit.
func (s *simulation) run(c *lru, offsets []int64, limit int64) (accesses, misses int64) {
	c.clear()
	for _, a := range s.Walk {
		lines, missed := c.touch(s.Address(a, offsets), a.Size)
		accesses, misses = accesses+lines, misses+missed
		if misses > limit {
			break
		}
	}
	s.done += accesses + int64(len(s.Walk))
	return accesses, misses
}

// HitRate returns the share of accesses that hit; 1 if there are none.
func (n Counts) HitRate() float64 {
	if n.Accesses == 0 {
		return 1
	}
	return float64(n.Accesses-n.Misses) / float64(n.Accesses)
}
