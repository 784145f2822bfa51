package sets

import "golang.org/x/exp/slices"

// A Span is a half-open range [Lo, Hi) of bytes, or of object numbers.
type Span struct{ Lo, Hi int64 }

// An Occupancy returns the bytes taken at any time within a window: the union of all spans added over
// intervals that overlap it. It is a segment tree over time whose nodes hold unions, so that it never
// visits the single records below a node, and because neighbouring spans merge, unions stay short where
// memory is well used. Adding and querying touch O(log n) unions each, and take time linear in their
// lengths: in the worst case, with spans that never merge, all that were added.
type Occupancy struct {
	leaves int
	// cover[v] is the union over the intervals that have node v as a canonical part: taken throughout
	// v's time. touch[v] is the union over all intervals that overlap v's time; leaves use cover
	// instead, which is equal.
	cover, touch [][]Span
	found, spare []Span
	runs         []int
}

func NewOccupancy(count int) *Occupancy {
	leaves := 1
	for leaves < count {
		leaves *= 2
	}
	return &Occupancy{leaves: leaves, cover: make([][]Span, 2*leaves), touch: make([][]Span, leaves)}
}

// Add takes s from first to last, both inclusive.
func (o *Occupancy) Add(first, last int, s Span) {
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

// addAt adds s to node v and to the touch of every node above it. A span that contains s has already
// been passed upwards.
func (o *Occupancy) addAt(v int, s Span) {
	o.cover[v], _ = Unite(o.cover[v], s)
	if v >= o.leaves {
		v /= 2
	}
	for ; v >= 1; v /= 2 {
		var grew bool
		if o.touch[v], grew = Unite(o.touch[v], s); !grew {
			return
		}
	}
}

// Taken returns the union of the spans taken at some time from first to last, both inclusive, ascending
// and with room between any two spans. The slice is valid until the next call.
func (o *Occupancy) Taken(first, last int) []Span {
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

// gatherAbove gathers spans that cover first or last by a node that reaches beyond the window; all
// nodes within it are already gathered.
func (o *Occupancy) gatherAbove(first, last int) {
	left, right := (first+o.leaves)/2, (last+o.leaves)/2
	for width := 2; left >= 1; left, right, width = left/2, right/2, 2*width {
		o.gatherIfBeyond(left, width, first, last)
		if right != left {
			o.gatherIfBeyond(right, width, first, last)
		}
	}
}

func (o *Occupancy) gatherIfBeyond(v, width, first, last int) {
	begin := v*width - o.leaves
	if begin < first || begin+width-1 > last {
		o.gather(o.cover[v])
	}
}

func (o *Occupancy) overlapping(v int) []Span {
	if v >= o.leaves {
		return o.cover[v]
	}
	return o.touch[v]
}

func (o *Occupancy) gather(run []Span) {
	if len(run) > 0 {
		o.found = append(o.found, run...)
		o.runs = append(o.runs, len(o.found))
	}
}

// uniteRuns merges the gathered runs pairwise until one is left. Each run is ascending, so that this
// beats sorting.
func (o *Occupancy) uniteRuns() {
	for len(o.runs) > 1 {
		o.spare = o.spare[:0]
		ends := o.runs[:0]
		start := 0
		for k := 0; k < len(o.runs); k += 2 {
			middle, end := o.runs[k], o.runs[min(k+1, len(o.runs)-1)]
			from := len(o.spare)
			o.spare = Merge(o.spare, from, o.found[start:middle], o.found[middle:end])
			ends = append(ends, len(o.spare))
			start = end
		}
		o.found, o.spare, o.runs = o.spare, o.found, ends
	}
}

// Merge appends the union of a and b to dst, as a run that begins at from.
func Merge(dst []Span, from int, a, b []Span) []Span {
	for len(a) > 0 || len(b) > 0 {
		var next Span
		if len(b) == 0 || len(a) > 0 && a[0].Lo <= b[0].Lo {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if k := len(dst) - 1; k >= from && dst[k].Hi >= next.Lo {
			dst[k].Hi = max(dst[k].Hi, next.Hi)
		} else {
			dst = append(dst, next)
		}
	}
	return dst
}

// Unite adds s to an ascending union whose spans do not touch, and reports whether
// that changed it.
func Unite(union []Span, s Span) ([]Span, bool) {
	from, to := 0, len(union)
	for from < to { // the first span that ends at or after s's start
		if middle := (from + to) / 2; union[middle].Hi < s.Lo {
			from = middle + 1
		} else {
			to = middle
		}
	}
	if from == len(union) || s.Hi < union[from].Lo {
		return slices.Insert(union, from, s), true
	}
	if union[from].Lo <= s.Lo && s.Hi <= union[from].Hi {
		return union, false
	}
	for to = from; to < len(union) && union[to].Lo <= s.Hi; to++ {
		s = Span{min(s.Lo, union[to].Lo), max(s.Hi, union[to].Hi)}
	}
	union[from] = s
	return slices.Delete(union, from+1, to), true
}
