package packing

import (
	"golang.org/x/exp/slices"
)

// An Item is a record to place.
type Item struct {
	// Spans are the sections of the item, ascending and disjoint. A section is a set of items held at
	// the same time.
	Spans []Span
	// Size is in bytes, or in another common unit of Size, Align and Offset; it is above zero. The
	// offset is a multiple of Align, which is at least one.
	Size, Align int64
	// Pinned reports that the offset is given.
	Pinned bool
	Offset int64
	// Width is the duration of the item in the caller's measure of time, and Row its index in the
	// caller's list. Both only affect the order of trying items.
	Width int64
	Row   int
}

// A Span is a range of sections, both ends inclusive.
type Span struct{ First, Last int32 }

// A Problem is immutable.
type Problem struct {
	items    []Item
	sections int
	// first and last bound each item's spans.
	first, last []int32
	// neighbours are the items held in a common section, ascending.
	neighbours [][]int32
	// twins are, for each item that is not pinned, the others with its spans, size and alignment.
	twins [][]int32
	// pins are the pinned items, and pinsAt the pinned items in each section.
	pins   []int32
	pinsAt [][]int32
	// byFirst are the items that are not pinned, by first section.
	byFirst []int32
	load    []int64
	// heldIn is the sum over items of the sections that each is held in: a node of a search may visit
	// all of them.
	heldIn int64
}

// New prepares items over a number of sections.
func New(items []Item, sections int) *Problem {
	p := &Problem{items: items, sections: sections, load: make([]int64, sections), pinsAt: make([][]int32, sections)}
	members := make([][]int32, sections)
	for i := range items {
		spans := items[i].Spans
		p.first = append(p.first, spans[0].First)
		p.last = append(p.last, spans[len(spans)-1].Last)
		p.eachSection(int32(i), func(t int32) {
			members[t] = append(members[t], int32(i))
			p.load[t] += items[i].Size
			p.heldIn++
		})
		if items[i].Pinned {
			p.pins = append(p.pins, int32(i))
			p.eachSection(int32(i), func(t int32) { p.pinsAt[t] = append(p.pinsAt[t], int32(i)) })
			continue
		}
		p.byFirst = append(p.byFirst, int32(i))
	}
	slices.SortStableFunc(p.byFirst, func(i, j int32) int { return int(p.first[i] - p.first[j]) })
	p.neighbours = p.adjacent(members)
	p.findTwins()
	return p
}

func (p *Problem) findTwins() {
	p.twins = make([][]int32, len(p.items))
	for k, i := range p.byFirst {
		for _, j := range p.byFirst[k+1:] {
			if p.first[j] > p.first[i] {
				break
			}
			a, b := &p.items[i], &p.items[j]
			if a.Size == b.Size && a.Align == b.Align && slices.Equal(a.Spans, b.Spans) {
				p.twins[i], p.twins[j] = append(p.twins[i], j), append(p.twins[j], i)
			}
		}
	}
}

func (p *Problem) eachSection(i int32, do func(t int32)) {
	for _, s := range p.items[i].Spans {
		for t := s.First; t <= s.Last; t++ {
			do(t)
		}
	}
}

// adjacent returns each item's neighbours: items held where a span of it begins, and items that begin
// within it.
func (p *Problem) adjacent(members [][]int32) [][]int32 {
	list := make([][]int32, len(p.items))
	seen := make([]int32, len(p.items))
	begins := make([][]int32, p.sections)
	for i := range p.items {
		for _, s := range p.items[i].Spans {
			begins[s.First] = append(begins[s.First], int32(i))
		}
	}
	for i := range p.items {
		mark := int32(i) + 1
		seen[i] = mark
		add := func(others []int32) {
			for _, j := range others {
				if seen[j] != mark {
					seen[j] = mark
					list[i] = append(list[i], j)
				}
			}
		}
		for _, s := range p.items[i].Spans {
			add(members[s.First])
			for t := s.First + 1; t <= s.Last; t++ {
				add(begins[t])
			}
		}
		slices.Sort(list[i])
	}
	return list
}

// held reports whether item i is held in section t.
func (p *Problem) held(i, t int32) bool {
	for _, s := range p.items[i].Spans {
		if s.First <= t && t <= s.Last {
			return true
		}
	}
	return false
}
