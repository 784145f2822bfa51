package disjunctive

import "golang.org/x/exp/slices"

// A heldBytes is the bytes [lo, hi) of a tensor of a part that it holds throughout a section, in
// grains from its start.
type heldBytes struct {
	tensor int
	lo, hi int64
}

// sectionsOf returns the bytes held at each position where a piece begins: pieces held together are
// held together there. Sections contained in the next one are omitted.
func sectionsOf(tensors []tensor) [][]heldBytes {
	var starts []int
	for _, t := range tensors {
		for _, p := range t.pieces {
			starts = append(starts, p.first)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	sections := make([][]heldBytes, len(starts))
	ends := make([]bool, len(starts)) // a piece ends before the next section
	for i, t := range tensors {
		for _, p := range t.pieces {
			at, _ := slices.BinarySearch(starts, p.first)
			for ; at < len(starts) && starts[at] <= p.last; at++ {
				sections[at] = append(sections[at], heldBytes{i, p.lo, p.hi})
			}
			ends[at-1] = true
		}
	}
	var kept [][]heldBytes
	for at, section := range sections {
		if ends[at] && len(section) > 1 {
			kept = append(kept, section)
		}
	}
	return kept
}

// tooHigh reports whether more than the capacity is held at some position.
func (p *part) tooHigh(capacity int64) bool {
	capacity = ceil(capacity, p.padding)
	for _, section := range p.sections {
		var sum int64
		for _, h := range section {
			sum += h.hi - h.lo
		}
		if sum > capacity {
			return true
		}
	}
	return false
}
