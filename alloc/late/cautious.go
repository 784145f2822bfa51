package late

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// placeSafely returns the places of a cautious wave; of has the indexes of the known records.
//
// Everything before the first record of unknown size can be planned. Records in use there are pinned
// where the run-time allocator has them, so that the program can go on like that allocator. New places
// until then are used only if they end no higher than the safe ones. So the end of all waves is at most
// the end of the run-time allocator.
func (s *solver) placeSafely(ctx context.Context, known []lifetime.Record, of []int, next int, opt alloc.Options) ([]int64, error) {
	limit := s.firstUnknown(next)
	around := slices.Clone(known)
	safe := make([]int64, len(known))
	for k, i := range of {
		if safe[k] = s.safe[i]; known[k].First < limit && known[k].Last >= limit {
			around[k].Pinned, around[k].Offset = true, safe[k]
		}
	}
	plan, err := alloc.Solve(ctx, around, opt)
	if err == nil && endBefore(known, plan.Offsets, limit) > endBefore(known, safe, limit) {
		for k := range around {
			if around[k].First < limit {
				around[k].Pinned, around[k].Offset = true, safe[k]
			}
		}
		plan, err = alloc.Solve(ctx, around, opt)
	}
	if err != nil {
		return nil, err
	}
	s.interrupted = s.interrupted || plan.Interrupted
	s.safe = slices.Clone(s.safe)
	for k, i := range of {
		if known[k].First < limit {
			s.safe[i] = plan.Offsets[k]
		}
	}
	return plan.Offsets, nil
}

// firstUnknown returns the first position of a record whose size becomes known at position next or
// later.
func (s *solver) firstUnknown(next int) int {
	first := math.MaxInt
	for i, r := range s.records {
		if s.knownAt[i] >= next {
			first = min(first, r.First)
		}
	}
	return first
}

// endBefore returns the highest end of records that begin before a position.
func endBefore(records []lifetime.Record, offsets []int64, limit int) int64 {
	var end int64
	for i, r := range records {
		if r.First < limit && r.Size > 0 {
			end = max(end, offsets[i]+r.Size)
		}
	}
	return end
}
