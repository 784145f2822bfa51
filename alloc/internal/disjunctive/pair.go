package disjunctive

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A pair is two tensors of a part, i < j, and the differences offset j - offset i
// that are forbidden: closed intervals, ascending, with a number between any two.
type pair struct {
	i, j      int
	forbidden []interval
}

// An interval is the integers from lo to hi, both inclusive.
type interval struct{ lo, hi int64 }

// pairsOf returns the pairs with forbidden differences, derived from the pieces.
func pairsOf(tensors []tensor) []pair {
	var pairs []pair
	for j := range tensors {
		for i := range j {
			if f := forbidden(tensors[i], tensors[j]); len(f) > 0 {
				pairs = append(pairs, pair{i, j, f})
			}
		}
	}
	return pairs
}

// forbidden returns the differences offset b - offset a at which a and b share a byte at some position:
// for each two pieces at a common one, those above a.lo - b.hi and below a.hi - b.lo.
func forbidden(a, b tensor) []interval {
	var all []interval
	for i, j := 0, 0; i < len(a.pieces) && j < len(b.pieces); {
		p, q := a.pieces[i], b.pieces[j]
		if p.first <= q.last && q.first <= p.last {
			all = append(all, interval{p.lo - q.hi + 1, p.hi - q.lo - 1})
		}
		if p.last < q.last {
			i++
		} else {
			j++
		}
	}
	slices.SortFunc(all, func(x, y interval) int { return cmp.Compare(x.lo, y.lo) })
	merged := all[:0]
	for _, x := range all {
		if k := len(merged) - 1; k >= 0 && x.lo <= merged[k].hi+1 {
			merged[k].hi = max(merged[k].hi, x.hi)
		} else {
			merged = append(merged, x)
		}
	}
	return merged
}

// least returns the smallest allowed difference that is not below d.
func (p *pair) least(d int64) int64 {
	for _, f := range p.forbidden {
		if f.lo <= d && d <= f.hi {
			return f.hi + 1
		}
	}
	return d
}

// most returns the largest allowed difference that is not above d.
func (p *pair) most(d int64) int64 {
	for _, f := range p.forbidden {
		if f.lo <= d && d <= f.hi {
			return f.lo - 1
		}
	}
	return d
}

// widest returns the widest forbidden interval from lo to hi, the first of equals.
func (p *pair) widest(lo, hi int64) (widest interval, found bool) {
	for _, f := range p.forbidden {
		if lo <= f.hi && f.lo <= hi && (!found || f.hi-f.lo > widest.hi-widest.lo) {
			widest, found = f, true
		}
	}
	return widest, found
}
