package late

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// place returns the places of a wave: of several plans the one with the least expected final memory,
// then the least current memory, then the lowest records in use at the next wave. Before is the memory
// used until now, in bytes.
func (s *solver) place(ctx context.Context, known []lifetime.Record, before int64, next int, opt alloc.Options) ([]int64, error) {
	plan, err := alloc.Solve(ctx, known, opt)
	if err != nil {
		return nil, err
	}
	s.interrupted = s.interrupted || plan.Interrupted
	low, err := lowest(ctx, known, next, opt)
	if err != nil {
		return nil, err
	}
	guess := s.unknown(known, next)
	var best []int64
	var least [3]int64
	for _, offsets := range [][]int64{plan.Offsets, low, runTime(known)} {
		score := [3]int64{expectedTotal(known, offsets, guess, before, next), max(before, end(known, offsets)), topAt(known, offsets, next)}
		if best == nil || slices.Compare(score[:], least[:]) < 0 {
			best, least = offsets, score
		}
	}
	return best, nil
}

// unknown returns the records of unknown size, with the average size of the known ones.
func (s *solver) unknown(known []lifetime.Record, next int) (guess []lifetime.Record) {
	var sum int64
	for _, r := range known {
		sum += r.Size / int64(len(known))
	}
	for i, r := range s.records {
		if s.knownAt[i] >= next {
			r.Size = sum
			guess = append(guess, r)
		}
	}
	return guess
}

// expectedTotal returns the expected memory of an allocator that does not plan from the next wave on,
// with everything until then placed as planned: the sum for small, average and large unknown sizes.
func expectedTotal(known []lifetime.Record, offsets []int64, guess []lifetime.Record, before int64, next int) (sum int64) {
	var later []lifetime.Record
	now := before
	for i, r := range known {
		if r.First < next {
			r.Pinned, r.Offset = true, offsets[i]
			now = max(now, r.Offset+r.Size)
		}
		if r.Last >= next {
			later = append(later, r)
		}
	}
	if len(guess) == 0 {
		return max(now, end(known, offsets))
	}
	fixed := len(later)
	later = append(later, guess...)
	for _, quarters := range []int64{1, 4, 10} {
		for i := range guess {
			later[fixed+i].Size = guess[i].Size * quarters / 4
		}
		sum += max(now, end(later, runTime(later)))
	}
	return sum
}

// topAt returns the highest end of records in use both at a position and before it.
func topAt(records []lifetime.Record, offsets []int64, at int) int64 {
	var top int64
	for i, r := range records {
		if r.First < at && r.Last >= at && r.Size > 0 {
			top = max(top, offsets[i]+r.Size)
		}
	}
	return top
}

// lowest plans the records in use at the next wave by themselves, and then everything else around them.
func lowest(ctx context.Context, known []lifetime.Record, next int, opt alloc.Options) ([]int64, error) {
	var first []lifetime.Record
	var of []int
	around := append([]lifetime.Record{}, known...)
	for i, r := range known {
		if r.Pinned || r.First < next && r.Last >= next {
			first, of = append(first, r), append(of, i)
		}
	}
	plan, err := alloc.Solve(ctx, first, opt)
	if err != nil {
		return nil, err
	}
	for k, i := range of {
		around[i].Pinned, around[i].Offset = true, plan.Offsets[k]
	}
	if plan, err = alloc.Solve(ctx, around, opt); err != nil {
		return nil, err
	}
	return plan.Offsets, nil
}
