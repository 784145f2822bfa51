package shared

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// BySize takes the smallest suitable object. Objects are opened by descending size and never grow, so
// that is the one opened last (Algorithm 2 of the paper, whose loop keeps the last suitable object).
func BySize(ctx context.Context, records problem.Records) (*Objects, error) {
	return assignBySize(ctx, records, lastFree)
}

// BySizeFirstFit is BySize with the suitable object opened first, which is the largest.
func BySizeFirstFit(ctx context.Context, records problem.Records) (*Objects, error) {
	return assignBySize(ctx, records, firstFree)
}

// lastFree returns the last of count objects that is not in taken, or -1.
func lastFree(taken []sets.Span, count int) int {
	if last := len(taken) - 1; last >= 0 && taken[last].Hi == int64(count) {
		return int(taken[last].Lo) - 1
	}
	return count - 1
}

// firstFree returns the first of count objects that is not in taken, or -1.
func firstFree(taken []sets.Span, count int) int {
	first := 0
	if len(taken) > 0 && taken[0].Lo == 0 {
		first = int(taken[0].Hi)
	}
	if first == count {
		return -1
	}
	return first
}

// assignBySize assigns larger records first. choose returns the object among those that are not in
// taken, whose spans are ascending and do not touch.
func assignBySize(ctx context.Context, records problem.Records, choose func(taken []sets.Span, count int) int) (*Objects, error) {
	o := newObjects(records)
	time := problem.NewTimeline(records)
	inUse := sets.NewOccupancy(time.Count)
	pulse := problem.Pulse{Context: ctx}
	for _, i := range problem.BySizeThenFirst(records) {
		if err := pulse.Err(); err != nil {
			return nil, err
		}
		id := choose(inUse.Taken(time.First[i], time.Last[i]), len(o.Sizes))
		if id < 0 {
			id = o.open(records[i].Size)
		}
		o.Of[i] = id
		inUse.Add(time.First[i], time.Last[i], sets.Span{Lo: int64(id), Hi: int64(id) + 1})
	}
	return o, nil
}

// ByBreadth returns a strategy that assigns the records of the busiest operator first.
func ByBreadth(ties problem.BreadthTies) func(context.Context, problem.Records) (*Objects, error) {
	return func(ctx context.Context, records problem.Records) (*Objects, error) {
		return assignByBreadth(ctx, records, problem.ByBreadth(records, ties))
	}
}

// assignByBreadth gives each record in order the smallest suitable object that is large enough, else
// the largest suitable one, which grows; lowest number first among equal ones (Pisarchyk and Lee 2020,
// Algorithm 1).
func assignByBreadth(ctx context.Context, records problem.Records, order []int) (*Objects, error) {
	o := newObjects(records)
	time := problem.NewTimeline(records)
	inUse := sets.NewOccupancy(time.Count)
	bySize := sets.SortedList[object]{Compare: compareObjects}
	pulse := problem.Pulse{Context: ctx}
	for _, i := range order {
		if err := pulse.Err(); err != nil {
			return nil, err
		}
		size := records[i].Size
		at := suitable(&bySize, len(o.Sizes), inUse.Taken(time.First[i], time.Last[i]), size)
		if !bySize.Valid(at) {
			o.Of[i] = o.open(size)
			bySize.Insert(object{size, o.Of[i]})
		} else if chosen := bySize.At(at); chosen.size >= size {
			o.Of[i] = chosen.id
		} else {
			o.assign(i, size, chosen.id)
			bySize.Remove(at)
			bySize.Insert(object{size, chosen.id})
		}
		id := int64(o.Of[i])
		inUse.Add(time.First[i], time.Last[i], sets.Span{Lo: id, Hi: id + 1})
	}
	return o, nil
}

// suitable returns the slot of the object to use for size bytes while the objects in taken are in use;
// the slot is invalid if all count objects are.
func suitable(bySize *sets.SortedList[object], count int, taken []sets.Span, size int64) sets.Slot {
	if len(taken) == 1 && taken[0] == (sets.Span{Lo: 0, Hi: int64(count)}) {
		return bySize.End() // all are taken
	}
	start := bySize.Seek(object{size, 0})
	for at := start; bySize.Valid(at); at = bySize.Next(at) {
		if !contains(taken, bySize.At(at).id) {
			return at
		}
	}
	best := bySize.Prev(bySize.First()) // invalid
	for at := bySize.Prev(start); bySize.Valid(at); at = bySize.Prev(at) {
		if bySize.Valid(best) && bySize.At(at).size < bySize.At(best).size {
			break
		}
		if !contains(taken, bySize.At(at).id) {
			best = at
		}
	}
	return best
}

// contains reports whether one of the ascending spans contains object id.
func contains(spans []sets.Span, id int) bool {
	from, to := 0, len(spans)
	for from < to { // the first span that ends after id
		if middle := (from + to) / 2; spans[middle].Hi <= int64(id) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from < len(spans) && spans[from].Lo <= int64(id)
}
