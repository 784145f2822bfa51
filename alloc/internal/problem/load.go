package problem

// Urgencies returns each record's urgency: the largest sum of sizes, in bytes, that
// is alive at one position of its life.
func Urgencies(records Records) []int64 {
	time := NewTimeline(records)
	largest := newMaximum(Loads(records, time))
	urgent := make([]int64, len(records))
	for i := range records {
		urgent[i] = largest.over(time.First[i], time.Last[i])
	}
	return urgent
}

// Loads returns the bytes alive at each position of time.
func Loads(records Records, time Timeline) []int64 {
	load := make([]int64, time.Count+1)
	for i, r := range records {
		load[time.First[i]] += r.Size
		load[time.Last[i]+1] -= r.Size
	}
	for p := 1; p < len(load); p++ {
		load[p] += load[p-1]
	}
	return load[:time.Count]
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
