package disjunctive

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// An overload looks for a range of addresses that must hold more bytes at once than it is long (the
// Hall condition of disjunctive scheduling). Edge finding, which infers more from the same ranges, was
// tried: a twentieth fewer nodes, each several times as expensive.
type overload struct {
	windows []window
	starts  []int64
}

// A window is the range of addresses, [lo, hi), within which size grains are held.
type window struct{ lo, hi, size int64 }

// found reports whether a section is overloaded or the meter is over.
func (o *overload) found(s *search) bool {
	for _, section := range s.sections {
		o.windows, o.starts = o.windows[:0], o.starts[:0]
		for _, h := range section {
			lo, hi := s.matrix.at(0, h.tensor+1)+h.lo, -s.matrix.at(h.tensor+1, 0)+h.hi
			o.windows = append(o.windows, window{lo, hi, h.hi - h.lo})
			o.starts = append(o.starts, lo)
		}
		if o.check() || !s.meter.step() {
			return true
		}
	}
	return false
}

// check checks each range from the low end of one window to the high end of another.
func (o *overload) check() bool {
	slices.SortFunc(o.windows, func(a, b window) int { return cmp.Compare(a.hi, b.hi) })
	for _, start := range o.starts {
		var sum int64
		for _, w := range o.windows {
			if w.lo >= start {
				if sum += w.size; sum > w.hi-start {
					return true
				}
			}
		}
	}
	return false
}
