package reference

import (
	"math"
	"sort"

	"github.com/tflarena/tflarena/lifetime"
)

// place places pinned records first and the others in order, choosing among the
// placed neighbours of each in offset order.
func place(records []lifetime.Record, order []int, choose func(near []int, offsets []int64, i int) int64) []int64 {
	offsets := make([]int64, len(records))
	var placed []int // by offset, later ones after equal ones
	put := func(i int, offset int64) {
		offsets[i] = offset
		k := sort.Search(len(placed), func(k int) bool { return offsets[placed[k]] > offset })
		placed = append(placed[:k], append([]int{i}, placed[k:]...)...)
	}
	for i, r := range records {
		if r.Pinned {
			put(i, r.Offset)
		}
	}
	for _, i := range order {
		if records[i].Pinned {
			continue
		}
		var near []int
		for _, j := range placed {
			if records[i].Overlaps(records[j]) {
				near = append(near, j)
			}
		}
		put(i, choose(near, offsets, i))
	}
	return offsets
}

// BestFit places records in order, each in the smallest sufficient gap.
func BestFit(records []lifetime.Record, order []int) []int64 {
	return place(records, order, bestFit(records))
}

// rows leaves all ties to row order.
func rows(int, int) bool { return false }

func roundUp(n, align int64) int64 {
	for n%align != 0 {
		n++
	}
	return n
}

// bestFit is Algorithm 3, lines 7 to 20, with aligned starts.
func bestFit(records []lifetime.Record) func(near []int, offsets []int64, i int) int64 {
	return func(near []int, offsets []int64, i int) int64 {
		r := records[i]
		var prev int64
		best, smallest := int64(-1), int64(math.MaxInt64)
		for _, j := range near {
			if gap := offsets[j] - prev; gap >= r.Size && gap < smallest {
				best, smallest = prev, gap
			}
			prev = max(prev, roundUp(offsets[j]+records[j].Size, r.Alignment()))
		}
		if best >= 0 {
			return best
		}
		return prev
	}
}

// firstFit is GreedyMemoryPlanner's walk.
func firstFit(records []lifetime.Record) func(near []int, offsets []int64, i int) int64 {
	return func(near []int, offsets []int64, i int) int64 {
		r := records[i]
		var cursor int64
		for _, j := range near {
			if offsets[j]-cursor >= r.Size {
				break
			}
			cursor = max(cursor, roundUp(offsets[j]+records[j].Size, r.Alignment()))
		}
		return cursor
	}
}

// liteRT is SimpleMemoryArena's walk.
func liteRT(records []lifetime.Record) func(near []int, offsets []int64, i int) int64 {
	return func(near []int, offsets []int64, i int) int64 {
		r := records[i]
		var current int64
		best, smallest := int64(-1), int64(math.MaxInt64)
		for _, j := range near {
			start := roundUp(current, r.Alignment())
			if start+r.Size <= offsets[j] && offsets[j]-start < smallest {
				best, smallest = start, offsets[j]-current
			}
			current = max(current, offsets[j]+records[j].Size)
			if smallest == 0 {
				break
			}
		}
		if best >= 0 {
			return best
		}
		return roundUp(current, r.Alignment())
	}
}

func liteRTOrder(records []lifetime.Record) []int {
	begin, end := math.MaxInt, math.MinInt
	for _, r := range records {
		begin, end = min(begin, r.First), max(end, r.Last)
	}
	whole := func(i int) bool { return records[i].First == begin && records[i].Last == end }
	return sorted(len(records), func(i, j int) bool {
		r, s := records[i], records[j]
		switch {
		case whole(i) || whole(j):
			return whole(i) && !whole(j)
		case r.Size != s.Size:
			return r.Size > s.Size
		}
		return r.First < s.First
	})
}

func naiveOffsets(records []lifetime.Record) []int64 {
	var end int64
	for _, r := range records {
		if r.Pinned {
			end = max(end, r.Offset+r.Size)
		}
	}
	offsets := make([]int64, len(records))
	for i, r := range records {
		if offsets[i] = r.Offset; !r.Pinned {
			offsets[i] = roundUp(end, r.Alignment())
			end = offsets[i] + r.Size
		}
	}
	return offsets
}

// Strip keeps the height of every position at which a record begins; a line is a longest run of equal
// heights. The rest is the comment of strip.Pack, word by word; of the records that fit, it takes one
// that no other precedes.
func Strip(records []lifetime.Record, before func(i, j int) bool) []int64 {
	starts := map[int]bool{}
	for _, r := range records {
		starts[r.First] = true
	}
	var positions []int
	for p := range starts {
		positions = append(positions, p)
	}
	sort.Ints(positions)
	heights := make([]int64, len(positions))
	offsets := make([]int64, len(records))
	done := make([]bool, len(records))
	reached := make([]bool, len(records))
	raise := func(i int, to int64) {
		for k, p := range positions {
			if records[i].First <= p && p <= records[i].Last {
				heights[k] = max(heights[k], to)
			}
		}
	}
	for i, r := range records {
		if r.Pinned {
			offsets[i], done[i] = r.Offset, true
		}
	}
	for {
		lo, waiting := 0, false
		for k, h := range heights {
			if h < heights[lo] {
				lo = k
			}
		}
		for _, d := range done {
			waiting = waiting || !d
		}
		if !waiting {
			return offsets
		}
		height := heights[lo]
		next := -1 // the lowest pinned record not reached
		for i, r := range records {
			if r.Pinned && !reached[i] && (next < 0 || r.Offset < records[next].Offset) {
				next = i
			}
		}
		if next >= 0 && records[next].Offset <= height {
			reached[next] = true
			raise(next, records[next].Offset+records[next].Size)
			continue
		}
		hi := lo
		for hi+1 < len(heights) && heights[hi+1] == height {
			hi++
		}
		if i := stripBest(records, before, offsets, done, positions, lo, hi, height); i >= 0 {
			offsets[i], done[i] = roundUp(height, records[i].Alignment()), true
			raise(i, offsets[i]+records[i].Size)
			continue
		}
		to := int64(math.MaxInt64)
		if lo > 0 {
			to = min(to, heights[lo-1])
		}
		if hi+1 < len(heights) {
			to = min(to, heights[hi+1])
		}
		if next >= 0 {
			to = min(to, records[next].Offset)
		}
		for k := lo; k <= hi; k++ {
			heights[k] = to
		}
	}
}

func stripBest(records []lifetime.Record, before func(i, j int) bool, offsets []int64, done []bool, positions []int, lo, hi int, height int64) int {
	best := -1
	for i, r := range records {
		fits := !done[i] && r.First >= positions[lo] && (hi+1 == len(positions) || r.Last < positions[hi+1])
		start := roundUp(height, r.Alignment())
		for j, s := range records {
			if s.Pinned && r.Overlaps(s) && start < offsets[j]+s.Size && offsets[j] < start+r.Size {
				fits = false
			}
		}
		if !fits {
			continue
		}
		if best < 0 || before(i, best) {
			best = i
		}
	}
	return best
}

// lexical puts record i before j if the first differing key is larger.
func lexical(keys ...func(i int) float64) func(i, j int) bool {
	return func(i, j int) bool {
		for _, key := range keys {
			if key(i) != key(j) {
				return key(i) > key(j)
			}
		}
		return false
	}
}

// keys are the sort keys of the strategies, computed from the definitions.
type keys struct {
	longer, larger, earlier, later, urgent, shared, area func(i int) float64
}

func newKeys(records []lifetime.Record) keys {
	length := func(i int) float64 { return float64(records[i].Last - records[i].First) }
	size := func(i int) float64 { return float64(records[i].Size) }
	return keys{
		longer: length, larger: size,
		earlier: func(i int) float64 { return float64(-records[i].First) },
		later:   func(i int) float64 { return float64(records[i].Last) },
		area:    func(i int) float64 { return (length(i) + 1) * size(i) },
		urgent: once(len(records), func(i int) float64 {
			var most int64
			for p := records[i].First; p <= records[i].Last; p++ {
				var load int64
				for _, r := range records {
					if r.First <= p && p <= r.Last {
						load += r.Size
					}
				}
				most = max(most, load)
			}
			return float64(most)
		}),
		shared: once(len(records), func(i int) float64 {
			var n float64
			for j, r := range records {
				if j != i && r.Overlaps(records[i]) {
					n++
				}
			}
			return n
		}),
	}
}

// once computes a key of each record once.
func once(n int, key func(i int) float64) func(i int) float64 {
	keys := make([]float64, n)
	for i := range keys {
		keys[i] = key(i)
	}
	return func(i int) float64 { return keys[i] }
}

func urgency(records []lifetime.Record) []int64 {
	k := newKeys(records)
	return place(records, sorted(len(records), lexical(k.urgent, k.longer, k.earlier, k.larger)), firstFit(records))
}

func conflicts(records []lifetime.Record) []int64 {
	k := newKeys(records)
	return place(records, sorted(len(records), lexical(k.shared, k.larger)),
		func(near []int, offsets []int64, i int) int64 {
			var end int64
			for _, j := range near {
				end = max(end, offsets[j]+records[j].Size)
			}
			return roundUp(end, records[i].Alignment())
		})
}

// stripOrders keeps the first of the lowest plans by the orders of strip.Orders.
func stripOrders(records []lifetime.Record) []int64 {
	k := newKeys(records)
	var best []int64
	for _, before := range []func(i, j int) bool{
		lexical(k.urgent, k.longer, k.larger),
		lexical(k.earlier, k.longer, k.larger), lexical(k.later, k.longer, k.larger),
		lexical(k.earlier, k.larger), lexical(k.later, k.larger),
		lexical(k.shared, k.longer, k.larger), lexical(k.area),
	} {
		if plan := Strip(records, before); best == nil || Total(records, plan) < Total(records, best) {
			best = plan
		}
	}
	return best
}

// Total returns the total of records at offsets, in bytes.
func Total(records []lifetime.Record, offsets []int64) int64 {
	var total int64
	for i, r := range records {
		total = max(total, offsets[i]+r.Size)
	}
	return total
}
