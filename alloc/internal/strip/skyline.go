package strip

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// A line is a piece of the skyline: from first to last, both inclusive, everything
// below height is taken or lost.
type line struct {
	first, last int
	height      int64
}

// A skyline is a row of lines, no two neighbours of equal height, that covers all
// time.
type skyline struct {
	lines sets.SortedList[line]
	// low may hold lines that are no more; lowest drops them.
	low sets.Heap[line]
}

func newSkyline(count int) *skyline {
	s := &skyline{
		lines: sets.SortedList[line]{Compare: func(a, b line) int { return cmp.Compare(a.first, b.first) }},
		low: sets.Heap[line]{Less: func(a, b line) bool {
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
		l := s.low.Top()
		if at := s.lines.Seek(l); s.lines.Valid(at) && s.lines.At(at) == l {
			return l
		}
		s.low.Pop()
	}
}

// lift raises l to its lowest neighbour, but to ceiling at most unless that is
// negative.
func (s *skyline) lift(l line, ceiling int64) {
	at := s.lines.Seek(l)
	to := ceiling
	if next := s.lines.Next(at); s.lines.Valid(next) && (to < 0 || s.lines.At(next).height < to) {
		to = s.lines.At(next).height
	}
	if prev := s.lines.Prev(at); s.lines.Valid(prev) && (to < 0 || s.lines.At(prev).height < to) {
		to = s.lines.At(prev).height
	}
	s.lines.Remove(at)
	s.add(line{l.first, l.last, to})
}

// raise lifts all that is lower from first to last to the given height.
func (s *skyline) raise(first, last int, to int64) {
	for first <= last {
		at := s.lines.Seek(line{first: first})
		if !s.lines.Valid(at) || s.lines.At(at).first > first {
			at = s.lines.Prev(at)
		}
		l := s.lines.At(at)
		end := min(l.last, last)
		if l.height < to {
			s.lines.Remove(at)
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
	at := s.lines.Seek(l)
	if s.lines.Valid(at) {
		if next := s.lines.At(at); next.height == l.height && next.first == l.last+1 {
			l.last = next.last
			s.lines.Remove(at)
		}
	}
	if at = s.lines.Prev(s.lines.Seek(l)); s.lines.Valid(at) {
		if prev := s.lines.At(at); prev.height == l.height && prev.last+1 == l.first {
			l.first = prev.first
			s.lines.Remove(at)
		}
	}
	s.lines.Insert(l)
	s.low.Push(l)
}
