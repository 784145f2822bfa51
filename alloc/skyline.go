package alloc

import "cmp"

// A line is a piece of the skyline: from first to last, both inclusive, everything
// below height is taken or lost.
type line struct {
	first, last int
	height      int64
}

// A skyline is a row of lines, no two neighbours of equal height, that covers all
// time.
type skyline struct {
	lines sortedList[line]
	// low may hold lines that are no more; lowest drops them.
	low heap[line]
}

func newSkyline(count int) *skyline {
	s := &skyline{
		lines: sortedList[line]{compare: func(a, b line) int { return cmp.Compare(a.first, b.first) }},
		low: heap[line]{less: func(a, b line) bool {
			return a.height < b.height || a.height == b.height && a.first < b.first
		}},
	}
	if count > 0 {
		s.add(line{0, count - 1, 0})
	}
	return s
}

// lowest returns the lowest line, the leftmost of equals.
func (s *skyline) lowest() line {
	for {
		l := s.low.top()
		if at := s.lines.seek(l); s.lines.valid(at) && s.lines.at(at) == l {
			return l
		}
		s.low.pop()
	}
}

// lift raises l to its lowest neighbour, but to ceiling at most unless that is
// negative.
func (s *skyline) lift(l line, ceiling int64) {
	at := s.lines.seek(l)
	to := ceiling
	if next := s.lines.next(at); s.lines.valid(next) && (to < 0 || s.lines.at(next).height < to) {
		to = s.lines.at(next).height
	}
	if prev := s.lines.prev(at); s.lines.valid(prev) && (to < 0 || s.lines.at(prev).height < to) {
		to = s.lines.at(prev).height
	}
	s.lines.remove(at)
	s.add(line{l.first, l.last, to})
}

// raise lifts all that is lower from first to last to the given height.
func (s *skyline) raise(first, last int, to int64) {
	for first <= last {
		at := s.lines.seek(line{first: first})
		if !s.lines.valid(at) || s.lines.at(at).first > first {
			at = s.lines.prev(at)
		}
		l := s.lines.at(at)
		end := min(l.last, last)
		if l.height < to {
			s.lines.remove(at)
			s.add(line{l.first, first - 1, l.height})
			s.add(line{end + 1, l.last, l.height})
			s.add(line{first, end, to})
		}
		first = end + 1
	}
}

// add puts l into a hole of the skyline and unites it with neighbours of its height.
// A line of no time is nothing.
func (s *skyline) add(l line) {
	if l.first > l.last {
		return
	}
	at := s.lines.seek(l)
	if s.lines.valid(at) {
		if next := s.lines.at(at); next.height == l.height && next.first == l.last+1 {
			l.last = next.last
			s.lines.remove(at)
		}
	}
	if at = s.lines.prev(s.lines.seek(l)); s.lines.valid(at) {
		if prev := s.lines.at(at); prev.height == l.height && prev.last+1 == l.first {
			l.first = prev.first
			s.lines.remove(at)
		}
	}
	s.lines.insert(l)
	s.low.push(l)
}
