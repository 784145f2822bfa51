package replay

import (
	"cmp"

	"github.com/tflarena/tflarena/internal/integer"

	"golang.org/x/exp/slices"
)

// A Holder is what one function holds at the moment at which most was reserved, in bytes.
type Holder struct {
	Function, File string
	// Blocks were requested by the function and are in use, with Allocated bytes.
	Blocks    int
	Allocated int64
	// Wasted is what is reserved because of these blocks and not used: what their sizes were
	// rounded up by, and their part of the free bytes of the segments that they keep from
	// being released. The blocks of a segment have equal parts.
	Wasted int64
}

// Holders returns the functions that hold memory at an event, those that waste most first, and
// the bytes of segments in which nothing is in use. Without segments that the trace records,
// only rounding is counted.
func (p *Profile) Holders(t *Trace, event int) (holders []Holder, empty int64) {
	segments := p.Device.segmentsAt(event)
	inside := make([][]int, len(segments))
	wasted := map[int]int64{} // by life
	of := map[[2]string]*Holder{}
	var alive []int
	for i := range p.Lives {
		l := &p.Lives[i]
		if !l.Early && l.First > event || !l.Late && l.Last < event {
			continue
		}
		alive = append(alive, i)
		wasted[i] = integer.RoundUp(l.Size, p.Granule) - l.Size
		if k := segmentOf(segments, l.Block); k >= 0 {
			inside[k] = append(inside[k], i)
		}
	}
	for k, s := range segments {
		free := s.Size
		for _, i := range inside[k] {
			free -= integer.RoundUp(p.Lives[i].Size, p.Granule)
		}
		if free = max(free, 0); len(inside[k]) == 0 {
			empty += free
			continue
		}
		for n, i := range inside[k] {
			wasted[i] += free*int64(n+1)/int64(len(inside[k])) - free*int64(n)/int64(len(inside[k]))
		}
	}
	for _, i := range alive {
		l := &p.Lives[i]
		var who [2]string
		who[0], who[1] = t.Caller(l.Stack)
		h := of[who]
		if h == nil {
			h = &Holder{Function: who[0], File: who[1]}
			of[who] = h
		}
		h.Blocks++
		h.Allocated += integer.RoundUp(l.Size, p.Granule)
		h.Wasted += wasted[i]
	}
	for _, h := range of {
		holders = append(holders, *h)
	}
	slices.SortFunc(holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(b.Wasted, a.Wasted), cmp.Compare(b.Allocated, a.Allocated), cmp.Compare(a.Function, b.Function), cmp.Compare(a.File, b.File))
	})
	return holders, empty
}

// segmentOf returns the segment in which an address lies, -1 if there is none.
func segmentOf(segments []Segment, address uint64) int {
	k, found := slices.BinarySearchFunc(segments, address, func(s Segment, a uint64) int { return cmp.Compare(s.Address, a) })
	if !found {
		k--
	}
	if k >= 0 && address-segments[k].Address < uint64(segments[k].Size) {
		return k
	}
	return -1
}

// segmentsAt returns what is reserved after an event, by address. What is mapped side by side
// in an expandable segment is one segment.
func (d *Device) segmentsAt(event int) []Segment {
	if !d.Recorded {
		return nil
	}
	regions := newRegions(d.Segments)
	for i := len(d.Events) - 1; i > event; i-- {
		switch e := &d.Events[i]; e.Kind {
		case SegmentAlloc, SegmentMap:
			regions.remove(e.Block, e.Size)
		case SegmentFree, SegmentUnmap:
			regions.add(Segment{Address: e.Block, Size: e.Size, Lane: e.Lane}, e.Kind == SegmentUnmap)
		}
	}
	return regions.list
}

// regions are stretches of reserved addresses, in order and apart.
type regions struct{ list []Segment }

func newRegions(segments []Segment) *regions {
	r := &regions{}
	sorted := slices.Clone(segments)
	slices.SortFunc(sorted, func(a, b Segment) int { return cmp.Compare(a.Address, b.Address) })
	for _, s := range sorted {
		r.add(s, false)
	}
	return r
}

// add adds a stretch of addresses; with join it becomes one with its neighbours. What is there
// already stays as it is, and so does everything else if the stretch runs into it.
func (r *regions) add(s Segment, join bool) {
	k, found := slices.BinarySearchFunc(r.list, s.Address, func(t Segment, a uint64) int { return cmp.Compare(t.Address, a) })
	before := k > 0 && r.list[k-1].Address+uint64(r.list[k-1].Size) > s.Address
	behind := k < len(r.list) && s.Address+uint64(s.Size) > r.list[k].Address
	if found || before || behind || s.Size <= 0 {
		return
	}
	r.list = slices.Insert(r.list, k, s)
	if !join {
		return
	}
	if k+1 < len(r.list) && s.Address+uint64(s.Size) == r.list[k+1].Address && s.Lane == r.list[k+1].Lane {
		r.list[k].Size += r.list[k+1].Size
		r.list = slices.Delete(r.list, k+1, k+2)
	}
	if k > 0 && r.list[k-1].Address+uint64(r.list[k-1].Size) == s.Address && s.Lane == r.list[k-1].Lane {
		r.list[k-1].Size += r.list[k].Size
		r.list = slices.Delete(r.list, k, k+1)
	}
}

// remove takes a stretch of addresses out of the segment that has it.
func (r *regions) remove(address uint64, size int64) {
	k := segmentOf(r.list, address)
	if k < 0 || size <= 0 {
		return
	}
	s := r.list[k]
	front, behind := s, s
	front.Size = int64(address - s.Address)
	behind.Address = address + uint64(size)
	behind.Size = s.Size - front.Size - size
	var left []Segment
	if front.Size > 0 {
		left = append(left, front)
	}
	if behind.Size > 0 {
		left = append(left, behind)
	}
	r.list = slices.Replace(r.list, k, k+1, left...)
}
