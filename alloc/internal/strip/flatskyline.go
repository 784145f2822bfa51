package strip

import "github.com/tflarena/tflarena/alloc/internal/sets"

// A flatSkyline is a skyline in arrays by position, which finds a line's neighbours
// at once. It can only replace a line that lowest returned.
type flatSkyline struct {
	height []int64 // by a line's first position
	last   []int   // by a line's first position; -1 where no line begins
	first  []int   // by a line's last position
	low    sets.Heap[line]
}

func newFlatSkyline(count int) flatSkyline {
	return flatSkyline{
		height: make([]int64, count), last: make([]int, count), first: make([]int, count),
		low: sets.Heap[line]{Less: lower},
	}
}

// lower orders lines by height, then from the left.
func lower(a, b line) bool { return a.height < b.height || a.height == b.height && a.first < b.first }

func (s *flatSkyline) reset() {
	for p := range s.last {
		s.last[p] = -1
	}
	s.low.Clear()
	s.add(line{0, len(s.last) - 1, 0})
}

// lowest returns the lowest line, the leftmost of equals, of which there must be one.
func (s *flatSkyline) lowest() line {
	for {
		if l := s.low.Top(); s.last[l.first] == l.last && s.height[l.first] == l.height {
			return l
		}
		s.low.Pop()
	}
}

// beside returns the height of l's lower neighbour.
func (s *flatSkyline) beside(l line) int64 {
	height := unlimited
	if l.first > 0 {
		height = s.height[s.first[l.first-1]]
	}
	if l.last+1 < len(s.last) {
		height = min(height, s.height[l.last+1])
	}
	return height
}

// replace puts lines in the place of old, which they must cover; one of no time is
// nothing.
func (s *flatSkyline) replace(old line, by ...line) {
	s.low.Pop()
	s.last[old.first] = -1
	for _, l := range by {
		if l.first <= l.last {
			s.add(l)
		}
	}
}

// add puts l into a hole and unites it with neighbours of its height.
func (s *flatSkyline) add(l line) {
	if next := l.last + 1; next < len(s.last) && s.last[next] >= 0 && s.height[next] == l.height {
		l.last = s.last[next]
		s.last[next] = -1
	}
	if l.first > 0 {
		prev := s.first[l.first-1]
		if s.last[prev] == l.first-1 && s.height[prev] == l.height {
			l.first = prev
		}
	}
	s.height[l.first], s.last[l.first], s.first[l.last] = l.height, l.last, l.first
	s.low.Push(l)
}
