package late

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// A solver plans in waves.
type solver struct {
	records     []lifetime.Record
	knownAt     []int
	offsets     []int64
	waves       []Wave
	interrupted bool
	// safe are places that stay possible whatever becomes known, and that end no higher than the
	// run-time allocator: at first its own. A cautious solver leaves them only if it can return.
	safe     []int64
	cautious bool
}

// solve plans one wave after the other. The search time of the options is for both solvers.
func (s *solver) solve(ctx context.Context, opt alloc.Options) error {
	times := timesOf(s.knownAt)
	opt.SearchTime = searchTime(opt, len(times))
	for k, at := range times {
		next := math.MaxInt
		if k+1 < len(times) {
			next = times[k+1]
		}
		if err := s.wave(ctx, at, next, opt); err != nil {
			return err
		}
	}
	return nil
}

// wave plans the records that are known at a position and have not begun, around those in use. Next is
// the position of the next wave.
func (s *solver) wave(ctx context.Context, at, next int, opt alloc.Options) error {
	w := Wave{At: at}
	var known []lifetime.Record
	var of []int
	var before int64 // records that have ended
	for i, r := range s.records {
		switch {
		case s.knownAt[i] > at:
			continue
		case r.Last < at:
			if r.Size > 0 {
				before = max(before, s.offsets[i]+r.Size)
			}
			continue
		case s.knownAt[i] == at:
			w.Records++
		case r.First < at:
			r.Pinned, r.Offset = true, s.offsets[i]
			w.Kept++
		}
		known, of = append(known, r), append(of, i)
	}
	var offsets []int64
	var err error
	if s.cautious {
		offsets, err = s.placeSafely(ctx, known, of, next, opt)
	} else {
		offsets, err = s.place(ctx, known, before, next, opt)
	}
	if err != nil {
		return err
	}
	w.Total = before
	for k, i := range of {
		if s.knownAt[i] < at && s.offsets[i] != offsets[k] {
			w.Moved++
		}
		s.offsets[i] = offsets[k]
		if known[k].Size > 0 {
			w.Total = max(w.Total, offsets[k]+known[k].Size)
		}
	}
	s.waves = append(s.waves, w)
	return nil
}
