package disjunctive

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// A crowd is a set of tensors, or parts of them, that cannot share bytes pairwise, though the whole
// tensors may. maxCrowded is the number of tensors that the search for crowds tries from each one.
const maxCrowded = 128

// crowds returns for each tensor a crowd that contains it with all its bytes. It takes from tensors
// that are kept apart from it, the largest first, the bytes that none of the crowd can share.
func crowds(p *part) [][]held {
	between := make(map[[2]int]interval, 2*len(p.pairs))
	near := make([][]int, len(p.tensors))
	for _, q := range p.pairs {
		w := q.forbidden[0]
		for _, f := range q.forbidden {
			if f.hi-f.lo > w.hi-w.lo {
				w = f
			}
		}
		between[[2]int{q.i, q.j}], between[[2]int{q.j, q.i}] = w, interval{-w.hi, -w.lo}
		near[q.i], near[q.j] = append(near[q.i], q.j), append(near[q.j], q.i)
	}
	for _, t := range p.tensors {
		p.padding = gcd(p.padding, t.align)
	}
	var all [][]held
	for first, t := range p.tensors {
		slices.SortStableFunc(near[first], func(i, j int) int { return cmp.Compare(p.tensors[j].size, p.tensors[i].size) })
		crowd := []held{{first, 0, t.size}}
		for _, i := range near[first][:min(len(near[first]), maxCrowded)] {
			if h := unshared(held{i, 0, p.tensors[i].size}, crowd, between); h.lo < h.hi {
				crowd = append(crowd, h)
			}
		}
		if len(crowd) > 1 {
			all = append(all, padded(crowd, p.padding))
		}
	}
	return all
}

// padded rounds up the ends of the parts: if all tensors begin at multiples of align, nothing else fits
// between.
func padded(crowd []held, align int64) []held {
	for k, h := range crowd {
		crowd[k].lo, crowd[k].hi = ceil(h.lo, align), ceil(h.hi, align)
	}
	return crowd
}

// unshared returns the part of h that none of a crowd can share.
func unshared(h held, crowd []held, between map[[2]int]interval) held {
	for _, c := range crowd {
		f, ok := between[[2]int{c.tensor, h.tensor}]
		if !ok {
			return held{}
		}
		// c and h share a byte at differences above c.lo - h.hi and below c.hi - h.lo.
		h.hi = min(h.hi, c.lo+1-f.lo)
		h.lo = max(h.lo, c.hi-1-f.hi)
	}
	return h
}
