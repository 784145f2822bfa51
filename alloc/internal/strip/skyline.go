package strip

import "github.com/tflarena/tflarena/alloc/internal/sets"

// A line is a segment of the skyline: from first to last, both inclusive, everything below height is
// taken or lost.
type line struct {
	first, last int
	height      int64
}

// A skyline is a row of lines that covers all time; neighbours differ in height. It is kept in arrays
// by position, with constant-time access to a line's neighbours.
type skyline struct {
	height []int64 // by a line's first position
	last   []int   // by a line's first position; -1 where no line begins
	first  []int   // by a line's last position
	// low may hold outdated lines; lowest drops them.
	low sets.Heap[line]
}

func newSkyline(count int) skyline {
	return skyline{
		height: make([]int64, count), last: make([]int, count), first: make([]int, count),
		low: sets.Heap[line]{Less: lower},
	}
}

// lower orders lines by height, then from the left.
func lower(a, b line) bool { return a.height < b.height || a.height == b.height && a.first < b.first }

func (s *skyline) reset() {
	for p := range s.last {
		s.last[p] = -1
	}
	s.low.Clear()
	s.add(line{0, len(s.last) - 1, 0})
}

// lowest returns the lowest line, the leftmost of equal ones; there must be one.
func (s *skyline) lowest() line {
	for {
		if l := s.low.Top(); s.last[l.first] == l.last && s.height[l.first] == l.height {
			return l
		}
		s.low.Pop()
	}
}

// lowerNeighbour returns the height of l's lower neighbour.
func (s *skyline) lowerNeighbour(l line) int64 {
	height := unlimited
	if l.first > 0 {
		height = s.height[s.first[l.first-1]]
	}
	if l.last+1 < len(s.last) {
		height = min(height, s.height[l.last+1])
	}
	return height
}

// replace replaces old, which lowest returned, by lines that must cover it; a line without positions is
// ignored.
func (s *skyline) replace(old line, by ...line) {
	s.low.Pop()
	s.exchange(old, by...)
}

// exchange is like replace, for any line.
func (s *skyline) exchange(old line, by ...line) {
	s.last[old.first] = -1
	for _, l := range by {
		if l.first <= l.last {
			s.add(l)
		}
	}
}

// raise lifts all lower lines from first to last, both inclusive, to the given height.
func (s *skyline) raise(first, last int, to int64) {
	for first <= last {
		l := s.over(first)
		end := min(l.last, last)
		if l.height < to {
			s.exchange(l, line{l.first, first - 1, l.height}, line{end + 1, l.last, l.height}, line{first, end, to})
		}
		first = end + 1
	}
}

// over returns the line over a position.
func (s *skyline) over(position int) line {
	for s.last[position] < 0 {
		position--
	}
	return line{position, s.last[position], s.height[position]}
}

// add puts l into a hole and merges it with neighbours of its height.
func (s *skyline) add(l line) {
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
