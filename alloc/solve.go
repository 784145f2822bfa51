package alloc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/distances"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// ErrPinnedShared is [Solve]'s error for pinned records with approach [Shared]:
// shared objects have no offsets.
var ErrPinnedShared = errors.New("a pinned record needs approach offsets: shared objects have no offsets")

// ErrGapsShared is [Solve]'s error for records with gaps and approach [Shared]: an
// object holds one whole tensor at a time, so a gap frees nothing in it.
var ErrGapsShared = errors.New("a record with gaps needs approach offsets: a shared object holds whole tensors")

// ErrForbiddenShared is [Solve]'s error for [Options.Forbidden] with approach [Shared]: records that
// may share bytes of an arena may not share an object.
var ErrForbiddenShared = errors.New("records that may share bytes need approach offsets")

// Solve plans records with one strategy and returns the plan after the independent checker has passed
// it. A record of size zero is placed at offset 0, or where it is pinned, or in object 0, and takes no
// memory. A strategy without support for gaps places a record with gaps as if it held all its bytes for
// its whole lifetime. A strategy without support for [Options.Forbidden] ignores it.
//
// Solve returns the error of [lifetime.CheckRecords] for invalid records, [ErrPinnedShared],
// [ErrGapsShared] or [ErrForbiddenShared], a [*check.Violation] when two pinned records overlap,
// [*UnknownStrategyError], [*TooManyRecordsError], and ctx.Err() when ctx ends first. When ctx ends
// while [Auto] or an exact strategy works, Solve returns the best plan so far with Interrupted set.
func Solve(ctx context.Context, records []lifetime.Record, opt Options) (*Plan, error) {
	strategy, err := Lookup(opt.Approach, cmp.Or(opt.Strategy, Auto))
	if err != nil {
		return nil, err
	}
	if err := checkInput(records, opt); err != nil {
		return nil, err
	}
	p := newTask(records, opt)
	start := time.Now()
	plan, err := p.run(ctx, strategy)
	if err != nil {
		return nil, err
	}
	plan.Elapsed = time.Since(start)
	restoreEmpty(plan, records)
	if err := plan.checkDistances(records, opt.Forbidden); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", plan.Winner, err)
	}
	if plan.LowerBound > plan.Total {
		return nil, fmt.Errorf("fault in tflarena, please report it: a plan of %s below the lower bound of %s", units.ExactBytes(plan.Total), units.ExactBytes(plan.LowerBound))
	}
	return plan, nil
}

// checkInput rejects input that no strategy of the approach can plan.
func checkInput(records Records, opt Options) error {
	a := opt.Approach
	if a == Shared && opt.Forbidden != nil {
		return ErrForbiddenShared
	}
	if err := lifetime.CheckRecords(records); err != nil {
		return err
	}
	var pinned []int
	for i, r := range records {
		if a == Shared && len(r.Gaps) > 0 {
			return fmt.Errorf("record %d (%s): %w", i, r.ID, ErrGapsShared)
		}
		if r.Pinned {
			pinned = append(pinned, i)
		}
	}
	if len(pinned) == 0 {
		return nil
	}
	if a == Shared {
		return fmt.Errorf("record %d (%s): %w", pinned[0], records[pinned[0]].ID, ErrPinnedShared)
	}
	return checkPins(records, pinned, opt.Forbidden)
}

// checkPins checks the pinned records alone. The others are treated as empty, so that the violation has
// the callers' indices.
func checkPins(records Records, pinned []int, forbid distances.Forbid) error {
	only := make(Records, len(records))
	offsets := make([]int64, len(records))
	var total int64
	for _, i := range pinned {
		only[i], offsets[i] = records[i], records[i].Offset
		if records[i].Size > 0 {
			total = max(total, records[i].Offset+records[i].Size)
		}
	}
	plan := Plan{Approach: Offsets, Offsets: offsets, Total: total}
	if err := plan.checkDistances(only, withinPins(only, forbid)); err != nil {
		return fmt.Errorf("the pinned records contradict each other: %w", err)
	}
	return nil
}

// withinPins restricts a Forbid to pairs of pinned records.
func withinPins(only Records, forbid distances.Forbid) distances.Forbid {
	if forbid == nil {
		return nil
	}
	return func(a, b int) []lifetime.Range {
		if only[a].Pinned && only[b].Pinned {
			return forbid(a, b)
		}
		return nil
	}
}
