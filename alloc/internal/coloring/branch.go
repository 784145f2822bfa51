package coloring

import "golang.org/x/exp/slices"

// A branch is the set of all vectors from low to high.
type branch struct {
	total     int64 // of low
	low, high []int
	number    int64
}

// visitAll visits vectors by rising total, so that the first with room is a best one,
// and every total reached is a bound.
func (s *search) visitAll() {
	if low := s.raise(s.floor, 0, 0, s.ceiling, !s.opt.without.leaders); low != nil {
		s.push(low, s.ceiling)
	}
	for !s.meter.over() {
		if len(s.waiting) == 0 {
			s.res.Bound = s.res.Total
			return
		}
		if (2*len(s.waiting)+len(s.cuts))*len(s.floor) > maxEntries {
			return
		}
		b := s.pop()
		s.res.Bound = max(s.res.Bound, min(b.total, s.res.Total))
		if s.res.Bound == s.res.Total {
			return
		}
		s.visit(b)
	}
}

// visit splits a branch by a cut above its lowest vector. Without a known cut it searches for one; if
// there is none, the vector has room.
func (s *search) visit(b *branch) {
	if c := s.bestCut(b); c != nil {
		s.split(b, c)
		return
	}
	s.res.Vectors++
	c := s.findCut(b.low)
	if c == nil {
		return // room found, or the search is over
	}
	s.res.Cuts++
	s.cuts = append(s.cuts, *c)
	if n := len(s.cuts); n&(n-1) == 0 {
		s.descend(b.low)
	}
	s.split(b, c)
}

// split divides the rest of a branch after a cut: the k-th part has its first entry above the cut at k.
func (s *search) split(b *branch, c *cut) {
	high := slices.Clone(b.high)
	for k := range b.low {
		if low := s.child(b, c, k, high); low != nil {
			s.push(low, slices.Clone(high))
		}
		high[k] = min(high[k], c.top[k])
	}
}

// child returns the lowest vector of a branch with entry k above the cut, or nil.
func (s *search) child(b *branch, c *cut, k int, high []int) []int {
	if c.top[k] >= high[k] || k > 0 && c.top[k] == c.top[k-1] {
		return nil // entry k-1 is above the cut too
	}
	return s.raise(b.low, k, c.top[k]+1, high, !s.opt.without.leaders)
}

// bestCut returns the cut above the branch's lowest vector that leaves the largest total, or nil.
func (s *search) bestCut(b *branch) *cut {
	if s.opt.without.cuts {
		return nil
	}
	var best *cut
	var bestTotal int64
	for n := range s.cuts {
		c := &s.cuts[n]
		if !below(b.low, c.top) {
			continue
		}
		if total := s.totalAfter(b, c); best == nil || total > bestTotal {
			best, bestTotal = c, total
		}
	}
	return best
}

// totalAfter returns the smallest total that a cut leaves of a branch.
func (s *search) totalAfter(b *branch, c *cut) int64 {
	least := s.res.Total
	for k := range b.low {
		if low := s.child(b, c, k, b.high); low != nil {
			least = min(least, s.total(low))
		}
	}
	return least
}

func (s *search) push(low, high []int) {
	total := s.total(low)
	if total >= s.res.Total {
		return
	}
	s.meter.nodes++
	s.waiting = append(s.waiting, &branch{total: total, low: low, high: high, number: s.meter.nodes})
	k := len(s.waiting) - 1
	for k > 0 && before(s.waiting[k], s.waiting[(k-1)/2]) {
		s.waiting[k], s.waiting[(k-1)/2] = s.waiting[(k-1)/2], s.waiting[k]
		k = (k - 1) / 2
	}
}

// before orders branches by total, of equal ones the newest first.
func before(a, b *branch) bool {
	return a.total < b.total || a.total == b.total && a.number > b.number
}

func (s *search) pop() *branch {
	top, last := s.waiting[0], len(s.waiting)-1
	s.waiting[0], s.waiting[last] = s.waiting[last], nil
	s.waiting = s.waiting[:last]
	for k := 0; ; {
		child := 2*k + 1
		if child >= last {
			return top
		}
		if child+1 < last && before(s.waiting[child+1], s.waiting[child]) {
			child++
		}
		if !before(s.waiting[child], s.waiting[k]) {
			return top
		}
		s.waiting[k], s.waiting[child] = s.waiting[child], s.waiting[k]
		k = child
	}
}
