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

// FromStart marks a size that is known before the first position.
const FromStart = math.MinInt

// A Wave is one round of planning.
type Wave struct {
	// At is the position at which the sizes become known, [FromStart] for the first wave.
	At int
	// Records is the number of sizes that become known, Kept the number of records in use that keep
	// their places, and Moved the number of records that get another place than planned before.
	Records, Kept, Moved int
	// Total is the memory of all known records in bytes.
	Total int64
}

// A Result is a plan in waves with its alternatives.
type Result struct {
	// Plan is the plan in waves; Optimal reports that it is as small as any with all sizes known. It
	// never exceeds RunTime: if waves that anticipate unknown sizes exceed it, Plan is the plan of
	// cautious waves, and its Winner says so.
	Plan  *alloc.Plan
	Waves []Wave
	// AtOnce is the plan with all sizes known from the start.
	AtOnce *alloc.Plan
	// Cautious is the memory in bytes of waves that never exceed RunTime, whatever the sizes turn out
	// to be: records in use when a size becomes known lie where the run-time allocator has them, and
	// only records that have ended by then lie better. With shared objects, only the last wave changes
	// anything.
	Cautious int64
	// RunTime is the memory in bytes of an allocator that places each record when it begins, in the
	// smallest hole that is large enough, or at the end. With shared objects it takes the smallest free
	// object that is large enough, or else the largest free one, which grows, or a new one.
	RunTime int64
}

// A RecordError is the error for a size that becomes known too late.
type RecordError struct {
	Record, KnownAt int
	// First is the first position of the record.
	First int
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("record %d begins at position %d, and its size is known only at %d", e.Record, e.First, e.KnownAt)
}

// Solve plans records whose sizes become known at the positions of knownAt, inclusive: the size of a
// record that begins at that position is known in time, and the size of a pinned record is known from
// the start. The approach is Offsets, the default, or Shared, which ignores pins. Each wave is planned by [alloc.Solve] with the same options and errors; the search time is
// for all waves together. A [*RecordError] is also possible.
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
	knownAt = slices.Clone(knownAt)
	for i, r := range records {
		if r.Pinned {
			knownAt[i] = FromStart // an earlier wave could use its place
		}
	}
	if opt.Approach == alloc.Shared {
		return solveShared(ctx, records, knownAt, opt)
	}
	opt.Approach = alloc.Offsets
	start := time.Now()
	naive := runTime(records)
	r := &Result{RunTime: end(records, naive)}
	bold := &solver{records: records, knownAt: knownAt, offsets: make([]int64, len(records)), safe: naive}
	cautious := &solver{records: records, knownAt: knownAt, offsets: make([]int64, len(records)), safe: naive, cautious: true}
	for _, s := range []*solver{bold, cautious} {
		if err := s.solve(ctx, opt); err != nil {
			return nil, err
		}
	}
	took := time.Since(start)
	var err error
	if r.AtOnce, err = alloc.Solve(ctx, records, opt); err != nil {
		return nil, err
	}
	r.Cautious = end(records, cautious.offsets)
	better, name := bold, boldName
	if end(records, bold.offsets) > r.RunTime {
		better, name = cautious, cautiousName
	}
	r.Plan, r.Waves = &alloc.Plan{Approach: alloc.Offsets, Offsets: better.offsets, Total: end(records, better.offsets)}, better.waves
	finish(r, name, better.interrupted, took)
	if err := check.Offsets(records, r.Plan.Offsets, r.Plan.Total); err != nil {
		return nil, fault(err)
	}
	return r, nil
}

// The kinds of waves, as winners.
const (
	boldName     = "waves"
	cautiousName = "cautious waves"
)

// finish adds the bound of the plan at once and the other figures to the plan in waves.
func finish(r *Result, name string, interrupted bool, took time.Duration) {
	p := r.Plan
	p.Strategy, p.Winner, p.Tried = r.AtOnce.Strategy, name, len(r.Waves)
	p.LowerBound, p.Interrupted, p.Elapsed = r.AtOnce.LowerBound, interrupted, took
	if p.Total == p.LowerBound {
		p.Optimal, p.Proof = true, alloc.Proof{Kind: alloc.ByBound, Text: "the total equals the lower bound of all sizes known at once"}
	}
}

func fault(err error) error {
	return fmt.Errorf("fault in tflarena, please report it: a wrong plan in waves: %w", err)
}

// timesOf returns the positions at which sizes become known.
func timesOf(knownAt []int) []int {
	times := slices.Clone(knownAt)
	slices.Sort(times)
	return slices.Compact(times)
}

// searchTime returns the time of a search: the options' is for all waves of both kinds.
func searchTime(opt alloc.Options, waves int) time.Duration {
	if opt.SearchTime == 0 {
		opt.SearchTime = alloc.DefaultSearchTime
	}
	return max(opt.SearchTime/time.Duration(2*max(waves, 1)), time.Millisecond)
}
