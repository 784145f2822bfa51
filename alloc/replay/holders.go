package replay

import (
	"cmp"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
)

// A Holder is a function with the memory that it holds at an event, in bytes.
type Holder struct {
	Function, File string
	// Blocks is the number of its blocks in use, and Allocated their bytes.
	Blocks    int
	Allocated int64
	// Wasted is the memory reserved but not used because of these blocks: the rounding of their sizes,
	// and an equal share, per block, of the free bytes of their segments.
	Wasted int64
}

// Holders returns the functions that hold memory at an event, sorted by falling waste, and the bytes of
// empty segments. If the trace has no segments, waste is only rounding.
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
	sort.Slice(holders, func(i, j int) bool {
		a, b := &holders[i], &holders[j]
		return cmp.Or(cmp.Compare(b.Wasted, a.Wasted), cmp.Compare(b.Allocated, a.Allocated), cmp.Compare(a.Function, b.Function), cmp.Compare(a.File, b.File)) < 0
	})
	return holders, empty
}

// segmentOf returns the index of the segment that contains an address, or -1.
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

// segmentsAt returns the segments reserved after an event, by address. Adjacent mappings of an
// expandable segment are one segment.
func (d *Device) segmentsAt(event int) []Segment {
	if !d.Recorded {
		return nil
	}
	regions := newReservedRanges(d.Segments)
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

// reservedRanges are reserved ranges of addresses, sorted and disjoint.
type reservedRanges struct{ list []Segment }

func newReservedRanges(segments []Segment) *reservedRanges {
	r := &reservedRanges{}
	sorted := slices.Clone(segments)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Address < sorted[j].Address })
	for _, s := range sorted {
		r.add(s, false)
	}
	return r
}

// add adds a range of addresses unless it overlaps another one. With join, it merges the range with
// adjacent ones of the same lane.
func (r *reservedRanges) add(s Segment, join bool) {
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

// remove removes a range of addresses from its segment.
func (r *reservedRanges) remove(address uint64, size int64) {
	k := segmentOf(r.list, address)
	if k < 0 || size <= 0 {
		return
	}
	s := r.list[k]
	before, after := s, s
	before.Size = int64(address - s.Address)
	after.Address = address + uint64(size)
	after.Size = s.Size - before.Size - size
	var left []Segment
	if before.Size > 0 {
		left = append(left, before)
	}
	if after.Size > 0 {
		left = append(left, after)
	}
	r.list = slices.Replace(r.list, k, k+1, left...)
}
