package greedy

import (
	"cmp"
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
)

// Naive lays the records end to end in row order, after the pinned ones.
func Naive(_ context.Context, records problem.Records) ([]int64, error) {
	offsets := make([]int64, len(records))
	end := problem.PinnedEnd(records)
	for i, r := range records {
		if r.Pinned {
			offsets[i] = r.Offset
			continue
		}
		offsets[i] = integer.RoundUp(end, r.Alignment())
		end = offsets[i] + r.Size
	}
	return offsets, nil
}

// BySize places the largest record first, each in the smallest gap that is large enough.
func BySize(ctx context.Context, records problem.Records) ([]int64, error) {
	return place(ctx, records, problem.BySize(records), bestFit, problem.CommonAlignment(records))
}

// InOrder is BySize with the earliest record first.
func InOrder(ctx context.Context, records problem.Records) ([]int64, error) {
	return place(ctx, records, problem.InOrder(records), bestFit, problem.CommonAlignment(records))
}

// ByBreadth returns BySize with the records of the busiest operator first.
func ByBreadth(ties problem.BreadthTies) func(context.Context, problem.Records) ([]int64, error) {
	return func(ctx context.Context, records problem.Records) ([]int64, error) {
		return place(ctx, records, problem.ByBreadth(records, ties), bestFit, problem.CommonAlignment(records))
	}
}

// TFLM is GreedyMemoryPlanner of TensorFlow Lite Micro. It fills its list in reverse and sorts that
// stably, so that the later of equal sizes comes first.
func TFLM(ctx context.Context, records problem.Records) ([]int64, error) {
	order := problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(records[j].Size, records[i].Size), j-i)
	})
	return place(ctx, records, order, firstFit, problem.CommonAlignment(records))
}

// LiteRT is LiteRT's ArenaPlanner: records alive for the whole run first, in row order, then by size,
// first position and row. LiteRT leaves ties after the first position to an unstable sort; the row is
// our choice.
//
// The records placed first are an approximation: LiteRT prefers tensors that are never released and are
// allocated at node 0. A record does not identify those, so every record alive from the first position
// to the last counts as one; a tensor that is in use that long, but is released in the end, is then too
// early.
func LiteRT(ctx context.Context, records problem.Records) ([]int64, error) {
	begin, end := math.MaxInt, math.MinInt
	for _, r := range records {
		begin, end = min(begin, r.First), max(end, r.Last)
	}
	order := problem.BySizeThenFirst(records)
	var whole []int
	for i, r := range records {
		if r.First == begin && r.Last == end {
			whole = append(whole, i)
		}
	}
	order = slices.DeleteFunc(order, func(i int) bool {
		return records[i].First == begin && records[i].Last == end
	})
	// No rounding up here: the quirk of litertFit depends on the actual ends.
	return place(ctx, records, append(whole, order...), litertFit, 1)
}

// place puts the pinned records at their offsets and then each other record, in the given order, at the
// offset returned by choose. Every alignment must be a multiple of grain: ends are rounded up to it,
// which changes no start and merges spans with no usable space between.
//
// Each record takes time linear in the taken spans around it, few in a network. In the worst case every
// record overlaps most others and alignments keep the spans apart: then the time is quadratic in the
// number of records. That is fast if one position has all of them, and slow (half a minute for 100,000
// records) if each record overlaps half of the others in a staircase.
func place(ctx context.Context, records problem.Records, order []int, choose fit, grain int64) ([]int64, error) {
	time := problem.NewTimeline(records)
	occupied := newPeakOccupancy(time, minPeakRecords)
	offsets := make([]int64, len(records))
	put := func(i int, offset int64) {
		offsets[i] = offset
		occupied.add(time.First[i], time.Last[i], sets.Span{Lo: offset, Hi: integer.RoundUp(offset+records[i].Size, grain)})
	}
	for i, r := range records {
		if r.Pinned {
			put(i, r.Offset)
		}
	}
	pulse := problem.Pulse{Context: ctx}
	for _, i := range order {
		if records[i].Pinned {
			continue
		}
		if err := pulse.Err(); err != nil {
			return nil, err
		}
		put(i, choose(occupied.taken(time.First[i], time.Last[i]), records[i].Size, records[i].Alignment()))
	}
	return offsets, nil
}
