package late

import (
	"cmp"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// runTime returns the places of an allocator that places each record when it begins. Pinned records
// keep their places, which are reserved from the start.
func runTime(records []lifetime.Record) []int64 {
	order := make([]int, 0, len(records))
	offsets := make([]int64, len(records))
	var placed []lifetime.Placed
	for i, r := range records {
		switch {
		case r.Pinned:
			offsets[i] = r.Offset
			if r.Size > 0 {
				placed = append(placed, lifetime.Placed{Record: r, At: r.Offset})
			}
		case r.Size > 0:
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(records[a].First, records[b].First) })
	for _, i := range order {
		r := records[i]
		placed = slices.DeleteFunc(placed, func(p lifetime.Placed) bool { return !p.Pinned && p.Last < r.First })
		offsets[i] = bestFit(placed, r)
		placed = append(placed, lifetime.Placed{Record: r, At: offsets[i]})
	}
	return offsets
}

// end returns the highest end of records.
func end(records []lifetime.Record, offsets []int64) int64 {
	var end int64
	for i, r := range records {
		if r.Size > 0 {
			end = max(end, offsets[i]+r.Size)
		}
	}
	return end
}

// bestFit returns the beginning of the smallest free range for r between placed records, or the end of
// the highest one.
func bestFit(placed []lifetime.Placed, r lifetime.Record) int64 {
	var near []lifetime.Placed
	for _, p := range placed {
		if p.Overlaps(r) {
			near = append(near, p)
		}
	}
	sort.Slice(near, func(i, j int) bool { return near[i].At < near[j].At })
	best, room := int64(-1), int64(0)
	var end int64
	for _, p := range near {
		start := (end + r.Alignment() - 1) / r.Alignment() * r.Alignment()
		if free := p.At - start; free >= r.Size && (best < 0 || free < room) {
			best, room = start, free
		}
		end = max(end, p.At+p.Size)
	}
	if best >= 0 {
		return best
	}
	return (end + r.Alignment() - 1) / r.Alignment() * r.Alignment()
}
