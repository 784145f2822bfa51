package replay

import "github.com/tflarena/tflarena/internal/integer"

// Figures are figures of the memory of a device during a trace, in bytes.
type Figures struct {
	// Requested is the peak of the sizes of all blocks in use, and Allocated the same with sizes
	// rounded up.
	Requested, Allocated int64
	// Reserved is the peak of the memory reserved from the device, and ReservedEnd the value at the
	// end. HasReserved is set if the trace has them.
	Reserved, ReservedEnd int64
	HasReserved           bool
	// AtPeak is the most memory allocated while Reserved was reserved, and PeakEvent the first event
	// after which both hold.
	AtPeak    int64
	PeakEvent int
}

// Fragmentation returns the part of the reserved memory that was not allocated at the reserved peak,
// from 0 to 1, or 0 if unknown.
func (f *Figures) Fragmentation() float64 {
	if f.Reserved <= 0 || f.AtPeak > f.Reserved {
		return 0
	}
	return 1 - float64(f.AtPeak)/float64(f.Reserved)
}

// Figures computes the figures of the device.
func (p *Profile) Figures() Figures {
	d := p.Device
	w := memoryUse{p: p, reserved: d.reservedBefore()}
	w.f.HasReserved = d.hasSegments()
	w.f.PeakEvent = -1
	for i := range p.Lives {
		if p.Lives[i].Early {
			w.requested += p.Lives[i].Size
			w.allocated += integer.RoundUp(p.Lives[i].Size, p.Granule)
			w.next = i + 1
		}
	}
	w.ends = p.byLast()
	w.note(-1)
	for i := range d.Events {
		w.event(i, &d.Events[i])
	}
	w.f.ReservedEnd = w.reserved
	return w.f
}

// memoryUse has the memory in use between two events.
type memoryUse struct {
	p                              *Profile
	f                              Figures
	reserved, requested, allocated int64
	next                           int     // the next life to begin
	ends                           []int32 // lives that end within the trace, by last event
}

func (w *memoryUse) event(i int, e *Event) {
	for len(w.ends) > 0 && w.p.Lives[w.ends[0]].Last < i {
		l := &w.p.Lives[w.ends[0]]
		w.requested -= l.Size
		w.allocated -= integer.RoundUp(l.Size, w.p.Granule)
		w.ends = w.ends[1:]
	}
	switch e.Kind {
	case Alloc:
		w.requested += e.Size
		w.allocated += integer.RoundUp(e.Size, w.p.Granule)
	case SegmentAlloc, SegmentMap:
		w.reserved += e.Size
	case SegmentFree, SegmentUnmap:
		w.reserved -= e.Size
	}
	w.note(i)
}

func (w *memoryUse) note(event int) {
	f := &w.f
	f.Requested, f.Allocated = max(f.Requested, w.requested), max(f.Allocated, w.allocated)
	if w.reserved > f.Reserved || w.reserved == f.Reserved && w.allocated > f.AtPeak {
		f.Reserved, f.AtPeak, f.PeakEvent = w.reserved, w.allocated, event
	}
}

// byLast returns the lives that end within the trace, sorted by last event. The list is shared.
func (p *Profile) byLast() []int32 {
	p.asked.Do(func() { p.ends = p.sortedByLast() })
	return p.ends
}

func (p *Profile) sortedByLast() []int32 {
	count := make([]int32, len(p.Device.Events)+1)
	for i := range p.Lives {
		if !p.Lives[i].Late {
			count[p.Lives[i].Last+1]++
		}
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	order := make([]int32, count[len(count)-1])
	for i := len(p.Lives) - 1; i >= 0; i-- {
		if l := &p.Lives[i]; !l.Late {
			count[l.Last+1]--
			order[count[l.Last+1]] = int32(i)
		}
	}
	return order
}

// hasSegments reports whether the trace has reserved memory.
func (d *Device) hasSegments() bool {
	if d.Recorded && len(d.Segments) > 0 {
		return true
	}
	for i := range d.Events {
		if k := d.Events[i].Kind; k >= SegmentAlloc && k <= SegmentUnmap {
			return true
		}
	}
	return false
}

// reservedBefore returns the bytes reserved when the trace begins: those at the end, with all changes
// undone.
func (d *Device) reservedBefore() int64 {
	var end, change, least int64
	for _, s := range d.Segments {
		end += s.Size
	}
	for i := range d.Events {
		switch e := &d.Events[i]; e.Kind {
		case SegmentAlloc, SegmentMap:
			change += e.Size
		case SegmentFree, SegmentUnmap:
			change -= e.Size
		}
		least = min(least, change)
	}
	if !d.Recorded {
		return -least // the sum is never negative
	}
	return max(end-change, -least)
}
