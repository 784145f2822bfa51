package late

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// FromStart stands for a size that is known before the first position.
const FromStart = math.MinInt

// A Wave is one round of planning.
type Wave struct {
	// At is the position at which the sizes become known, [FromStart] for the first wave.
	At int
	// Records is how many sizes become known, Kept how many records are in use and keep their
	// places, and Moved how many of those that were planned before get another one.
	Records, Kept, Moved int
	// Total is the memory in bytes that all records need that are known by then.
	Total int64
}

// A Result is a plan in waves, and what it is to be compared with.
type Result struct {
	// Plan is the plan in waves: Optimal says that it is as small as any with all sizes known.
	Plan  *alloc.Plan
	Waves []Wave
	// AtOnce is the plan with all sizes known from the start.
	AtOnce *alloc.Plan
	// RunTime is the memory in bytes of an allocator that places each record when it begins,
	// in the smallest hole that is large enough, or at the end.
	RunTime int64
}

// A RecordError says that a size becomes known too late.
type RecordError struct {
	Record, KnownAt int
	// First is where the record begins.
	First int
}

// Error returns a sentence with the positions.
func (e *RecordError) Error() string {
	return fmt.Sprintf("record %d begins at position %d, and its size is known only at %d", e.Record, e.First, e.KnownAt)
}

// Solve plans records whose sizes become known at the positions of knownAt, inclusive: the size
// of a record that begins at that position is known in time. Each wave is planned by
// [alloc.Solve] with the same options, of which the search time is for all waves together, and
// so are errors; besides there is a [*RecordError].
func Solve(ctx context.Context, records []lifetime.Record, knownAt []int, opt alloc.Options) (*Result, error) {
	if len(knownAt) != len(records) {
		return nil, fmt.Errorf("%d positions for %d records", len(knownAt), len(records))
	}
	if err := lifetime.CheckRecords(records); err != nil {
		return nil, err
	}
	for i, r := range records {
		if knownAt[i] > r.First {
			return nil, &RecordError{i, knownAt[i], r.First}
		}
	}
	opt.Approach = alloc.Offsets
	start := time.Now()
	s := &solver{records: records, knownAt: knownAt, offsets: make([]int64, len(records))}
	times := s.times()
	each := opt
	if each.SearchTime == 0 {
		each.SearchTime = alloc.DefaultSearchTime
	}
	each.SearchTime = max(each.SearchTime/time.Duration(max(len(times), 1)), time.Millisecond)
	for k, at := range times {
		next := math.MaxInt
		if k+1 < len(times) {
			next = times[k+1]
		}
		if err := s.wave(ctx, at, next, each); err != nil {
			return nil, err
		}
	}
	r := &Result{Waves: s.waves, RunTime: end(records, runTime(records))}
	took := time.Since(start)
	var err error
	if r.AtOnce, err = alloc.Solve(ctx, records, opt); err != nil {
		return nil, err
	}
	r.Plan = s.plan(r.AtOnce)
	r.Plan.Elapsed = took
	if err := check.Offsets(records, r.Plan.Offsets, r.Plan.Total); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: a wrong plan in waves: %w", err)
	}
	return r, nil
}

// plan returns the plan of all waves, with what is known of any plan.
func (s *solver) plan(atOnce *alloc.Plan) *alloc.Plan {
	p := &alloc.Plan{
		Approach: alloc.Offsets, Strategy: atOnce.Strategy, Winner: "waves", Tried: len(s.waves), Offsets: s.offsets,
		LowerBound: atOnce.LowerBound, Interrupted: s.interrupted,
	}
	p.Total = end(s.records, s.offsets)
	if p.Total == p.LowerBound {
		p.Optimal, p.Proof = true, "the total equals the lower bound of all sizes known at once"
	}
	return p
}

type solver struct {
	records     []lifetime.Record
	knownAt     []int
	offsets     []int64
	waves       []Wave
	interrupted bool
}

// times returns when sizes become known.
func (s *solver) times() []int {
	times := slices.Clone(s.knownAt)
	slices.Sort(times)
	return slices.Compact(times)
}

// wave plans what is known at a position and has not begun, around what is in use. Next is the
// position of the next wave.
func (s *solver) wave(ctx context.Context, at, next int, opt alloc.Options) error {
	w := Wave{At: at}
	var known []lifetime.Record
	var of []int
	var before int64 // what has ended already
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
	offsets, err := s.place(ctx, known, before, next, opt)
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
