package packing

import (
	"math"

	"github.com/tflarena/tflarena/internal/integer"
)

// bounds is the result of [Search.check] for the waiting items.
type bounds struct {
	// low is a lower bound of the offset of each item.
	low []int64
	// skips are the items that do not lie at their lowest offset, log the rises of their bounds above
	// it, and head the last entry of each item in it, or -1.
	skips []int32
	log   []rise
	head  []int32
	// floor is the lowest bound in each section, top the lowest end.
	floor, top []int64
}

// A rise is a bound of a skipped item that follows from earlier bounds in the log.
type rise struct {
	item, previous int32
	low            int64
}

const never = int64(math.MaxInt64 / 4)

func newBounds(p *Problem) bounds {
	n := len(p.items)
	return bounds{low: make([]int64, n), head: make([]int32, n), floor: make([]int64, p.sections), top: make([]int64, p.sections)}
}

// check computes the bounds of the items of a part and reports whether they can fit. If not, the
// explainer has the reason, unless the search must end.
func (s *Search) check(part []int32) bool {
	b := &s.bounds
	b.skips, b.log = b.skips[:0], b.log[:0]
	for _, i := range part {
		b.low[i], b.head[i] = s.low[i], -1
		if s.skipped[i] == s.low[i] {
			b.skips = append(b.skips, i)
		}
	}
	for risen := len(b.skips) > 0; risen; {
		risen = false
		for _, i := range b.skips {
			if s.spend(int64(len(s.neighbours[i]))) {
				return false
			}
			low := s.support(i)
			if low <= b.low[i] {
				continue
			}
			risen = true
			b.log = append(b.log, rise{i, b.head[i], low})
			b.low[i], b.head[i] = low, int32(len(b.log)-1)
			if low+s.items[i].Size > s.capacity {
				s.proof.tooHigh(s, i)
				return false
			}
		}
	}
	return s.without.Sections || s.sectionsFit(part)
}

// support returns the lowest offset of an item that does not lie at its lowest one: on top of a waiting
// item that can reach into the bytes it would take.
func (s *Search) support(i int32) int64 {
	end := s.low[i] + s.items[i].Size
	if s.without.Dominance {
		end = never
	}
	best := never
	for _, j := range s.neighbours[i] {
		if !s.placed[j] && j != i && s.bounds.low[j] < end {
			best = min(best, s.bounds.low[j]+s.items[j].Size)
		}
	}
	if best == never {
		return never
	}
	return integer.RoundUp(best, s.items[i].Align)
}

// sectionsFit reports whether the waiting items of each section fit above its floor.
func (s *Search) sectionsFit(part []int32) bool {
	floor := s.bounds.floor
	from, to := s.first[part[0]], s.lastOf(part)
	for t := from; t <= to; t++ {
		floor[t] = never
	}
	for _, i := range part {
		low := s.bounds.low[i]
		for _, span := range s.items[i].Spans {
			for t := span.First; t <= span.Last; t++ {
				floor[t] = min(floor[t], low)
			}
		}
	}
	for t := from; t <= to; t++ {
		if floor[t] < never && floor[t]+s.waiting[t]+s.pinnedAbove(t, floor[t]) > s.capacity {
			s.proof.sectionFull(s, part, t)
			return false
		}
	}
	return true
}

// lastOf returns the last section of a part.
func (s *Search) lastOf(part []int32) int32 {
	var last int32
	for _, i := range part {
		last = max(last, s.last[i])
	}
	return last
}

// pinnedAbove returns the bytes of pinned items in a section above a height.
func (s *Search) pinnedAbove(t int32, height int64) int64 {
	var sum int64
	for _, p := range s.pinsAt[t] {
		if s.offset[p] >= height {
			sum += s.items[p].Size
		}
	}
	return sum
}

// tops returns the lowest possible end of a waiting item in each section.
func (b *bounds) tops(s *Search, part []int32) []int64 {
	for t, last := s.first[part[0]], s.lastOf(part); t <= last; t++ {
		b.top[t] = never
	}
	for _, i := range part {
		top := b.low[i] + s.items[i].Size
		for _, span := range s.items[i].Spans {
			for t := span.First; t <= span.Last; t++ {
				b.top[t] = min(b.top[t], top)
			}
		}
	}
	return b.top
}
