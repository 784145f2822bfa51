package disjunctive

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
)

// A clique is a set of tensors, or parts of them, that cannot share bytes pairwise, though the whole
// tensors may. maxCliqueTensors is the number of tensors that the search for cliques tries from each one.
const maxCliqueTensors = 128

// cliques returns for each tensor a clique that contains it with all its bytes. It takes from tensors
// that are kept apart from it, the largest first, the bytes that none of the clique can share.
func cliques(p *part) [][]heldBytes {
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
		p.padding = integer.GCD(p.padding, t.align)
	}
	var all [][]heldBytes
	for first, t := range p.tensors {
		slices.SortStableFunc(near[first], func(i, j int) int { return cmp.Compare(p.tensors[j].size, p.tensors[i].size) })
		clique := []heldBytes{{first, 0, t.size}}
		for _, i := range near[first][:min(len(near[first]), maxCliqueTensors)] {
			if h := unshared(heldBytes{i, 0, p.tensors[i].size}, clique, between); h.lo < h.hi {
				clique = append(clique, h)
			}
		}
		if len(clique) > 1 {
			all = append(all, padded(clique, p.padding))
		}
	}
	return all
}

// padded rounds up the ends of the parts: if all tensors begin at multiples of align, nothing else fits
// between.
func padded(clique []heldBytes, align int64) []heldBytes {
	for k, h := range clique {
		clique[k].lo, clique[k].hi = ceil(h.lo, align), ceil(h.hi, align)
	}
	return clique
}

// unshared returns the part of h that none of a clique can share.
func unshared(h heldBytes, clique []heldBytes, between map[[2]int]interval) heldBytes {
	for _, c := range clique {
		f, ok := between[[2]int{c.tensor, h.tensor}]
		if !ok {
			return heldBytes{}
		}
		// c and h share a byte at differences above c.lo - h.hi and below c.hi - h.lo.
		h.hi = min(h.hi, c.lo+1-f.lo)
		h.lo = max(h.lo, c.hi-1-f.hi)
	}
	return h
}
