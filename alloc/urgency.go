package alloc

import (
	"cmp"
	"context"
)

// byUrgency is the placement from which Vela's hill climb starts: the records whose
// life meets the largest load first, each at the lowest free offset.
func byUrgency(ctx context.Context, p *problem) (*Plan, error) {
	return place(ctx, p.records, urgencyOrder(p.records), firstFit, commonAlignment(p.records))
}

// urgencyOrder returns larger urgencies first; of equal ones the longer-lived, then
// the earlier, then the larger, then by row (Vela, hillclimb_allocation.py).
func urgencyOrder(records Records) []int {
	urgent := urgencies(records)
	return orderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(urgent[j], urgent[i]), cmp.Compare(length(records[j]), length(records[i])),
			cmp.Compare(records[i].First, records[j].First), cmp.Compare(records[j].Size, records[i].Size))
	})
}

// urgencies returns each record's urgency: the largest sum of sizes, in bytes, that
// is alive at one position of its life.
func urgencies(records Records) []int64 {
	time := newTimeline(records)
	largest := newMaximum(loads(records, time))
	urgent := make([]int64, len(records))
	for i := range records {
		urgent[i] = largest.over(time.first[i], time.last[i])
	}
	return urgent
}

// loads returns the bytes alive at each position of time.
func loads(records Records, time timeline) []int64 {
	load := make([]int64, time.count+1)
	for i, r := range records {
		load[time.first[i]] += r.Size
		load[time.last[i]+1] -= r.Size
	}
	for p := 1; p < len(load); p++ {
		load[p] += load[p-1]
	}
	return load[:time.count]
}

// A maximum tells the largest of any run of values: a segment tree.
type maximum struct {
	leaves int
	nodes  []int64
}

func newMaximum(values []int64) maximum {
	m := maximum{len(values), make([]int64, 2*len(values))}
	copy(m.nodes[m.leaves:], values)
	for v := m.leaves - 1; v >= 1; v-- {
		m.nodes[v] = max(m.nodes[2*v], m.nodes[2*v+1])
	}
	return m
}

// over returns the largest of the values first to last, both inclusive, or 0 where
// that is larger.
func (m maximum) over(first, last int) int64 {
	var largest int64
	for lo, hi := first+m.leaves, last+m.leaves+1; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			largest = max(largest, m.nodes[lo])
			lo++
		}
		if hi%2 == 1 {
			hi--
			largest = max(largest, m.nodes[hi])
		}
	}
	return largest
}
