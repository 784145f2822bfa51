package alloc

import "golang.org/x/exp/slices"

// A span is a half-open range [lo, hi) of bytes, or of object numbers.
type span struct{ lo, hi int64 }

// An occupancy answers what is taken at any time within a window: the union of all
// spans that were added over intervals which overlap it. It is a segment tree over
// time whose nodes hold unions, so it never looks at the single records below a
// node, and because neighbouring spans melt into one, unions stay short where
// memory is well used. Adding and asking touch O(log n) unions each, and take time
// linear in the lengths of these: in the worst case, spans that never melt, all that
// were added.
type occupancy struct {
	leaves int
	// cover[v] is the union over the intervals of which node v is a canonical
	// part: taken throughout v's time. touch[v] is the union over all intervals
	// that overlap v's time; leaves need none, for them it equals cover.
	cover, touch [][]span
	found, spare []span
	runs         []int
}

// newOccupancy returns an occupancy over the times 0 to count-1.
func newOccupancy(count int) *occupancy {
	leaves := 1
	for leaves < count {
		leaves *= 2
	}
	return &occupancy{leaves: leaves, cover: make([][]span, 2*leaves), touch: make([][]span, leaves)}
}

// add takes s from first to last, both inclusive.
func (o *occupancy) add(first, last int, s span) {
	lo, hi := first+o.leaves, last+o.leaves+1
	for ; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			o.addAt(lo, s)
			lo++
		}
		if hi%2 == 1 {
			hi--
			o.addAt(hi, s)
		}
	}
}

// addAt adds s to node v and to the touch of everything above it. What contains s
// already has passed it on upwards before.
func (o *occupancy) addAt(v int, s span) {
	o.cover[v], _ = unite(o.cover[v], s)
	if v >= o.leaves {
		v /= 2
	}
	for ; v >= 1; v /= 2 {
		var grew bool
		if o.touch[v], grew = unite(o.touch[v], s); !grew {
			return
		}
	}
}

// taken returns the union of what is taken at some time from first to last, both
// inclusive, ascending and with room between any two spans. The slice is valid
// until the next call.
func (o *occupancy) taken(first, last int) []span {
	o.found, o.runs = o.found[:0], o.runs[:0]
	lo, hi := first+o.leaves, last+o.leaves+1
	for ; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			o.gather(o.overlapping(lo))
			lo++
		}
		if hi%2 == 1 {
			hi--
			o.gather(o.overlapping(hi))
		}
	}
	o.gatherAbove(first, last)
	o.uniteRuns()
	return o.found
}

// gatherAbove gathers what covers first or last by way of a node that reaches
// beyond the window; all nodes within it are gathered already.
func (o *occupancy) gatherAbove(first, last int) {
	left, right := (first+o.leaves)/2, (last+o.leaves)/2
	for width := 2; left >= 1; left, right, width = left/2, right/2, 2*width {
		o.gatherIfBeyond(left, width, first, last)
		if right != left {
			o.gatherIfBeyond(right, width, first, last)
		}
	}
}

func (o *occupancy) gatherIfBeyond(v, width, first, last int) {
	begin := v*width - o.leaves
	if begin < first || begin+width-1 > last {
		o.gather(o.cover[v])
	}
}

func (o *occupancy) overlapping(v int) []span {
	if v >= o.leaves {
		return o.cover[v]
	}
	return o.touch[v]
}

func (o *occupancy) gather(run []span) {
	if len(run) > 0 {
		o.found = append(o.found, run...)
		o.runs = append(o.runs, len(o.found))
	}
}

// uniteRuns merges the gathered runs two by two until one is left. Each run is
// ascending, so this beats sorting from nothing.
func (o *occupancy) uniteRuns() {
	for len(o.runs) > 1 {
		o.spare = o.spare[:0]
		ends := o.runs[:0]
		start := 0
		for k := 0; k < len(o.runs); k += 2 {
			middle, end := o.runs[k], o.runs[min(k+1, len(o.runs)-1)]
			from := len(o.spare)
			o.spare = mergeSpans(o.spare, from, o.found[start:middle], o.found[middle:end])
			ends = append(ends, len(o.spare))
			start = end
		}
		o.found, o.spare, o.runs = o.spare, o.found, ends
	}
}

// mergeSpans appends the union of a and b to dst, as a run that begins at from.
func mergeSpans(dst []span, from int, a, b []span) []span {
	for len(a) > 0 || len(b) > 0 {
		var next span
		if len(b) == 0 || len(a) > 0 && a[0].lo <= b[0].lo {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if k := len(dst) - 1; k >= from && dst[k].hi >= next.lo {
			dst[k].hi = max(dst[k].hi, next.hi)
		} else {
			dst = append(dst, next)
		}
	}
	return dst
}

// unite adds s to an ascending union whose spans do not touch, and reports whether
// that changed it.
func unite(union []span, s span) ([]span, bool) {
	from, to := 0, len(union)
	for from < to { // the first span that ends at or after s's start
		if middle := (from + to) / 2; union[middle].hi < s.lo {
			from = middle + 1
		} else {
			to = middle
		}
	}
	if from == len(union) || s.hi < union[from].lo {
		return slices.Insert(union, from, s), true
	}
	if union[from].lo <= s.lo && s.hi <= union[from].hi {
		return union, false
	}
	for to = from; to < len(union) && union[to].lo <= s.hi; to++ {
		s = span{min(s.lo, union[to].lo), max(s.hi, union[to].hi)}
	}
	union[from] = s
	return slices.Delete(union, from+1, to), true
}
