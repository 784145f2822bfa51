package replay

import (
	"fmt"
	"sync"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
)

// A Life is the time of a block in use.
type Life struct {
	Block uint64
	Size  int64 // requested, in bytes
	// First and Last are indexes of events, both inclusive.
	First, Last int
	Stack       int32
	Lane        uint16
	// Early is set if the block was in use before the trace began, and Late if it was still in use
	// when the trace ended.
	Early, Late bool
	// Cold is set if the block was requested between an interrupt and the next resume.
	Cold bool
}

// Resident reports whether a block was in use for the whole length of the trace.
func (l *Life) Resident() bool { return l.Early && l.Late }

// A Profile has the lives of the blocks of a device.
type Profile struct {
	Device *Device
	// Granule is the granularity in bytes that sizes are rounded up to.
	Granule int64
	// Lives has the blocks requested before the trace, followed by all others in the order of requests.
	Lives []Life
	// Unseen counts blocks whose release is missing from the trace: they end when another block is
	// requested under the same number.
	Unseen int

	// ends caches [Profile.byLast].
	ends  []int32
	asked sync.Once
}

// NewProfile returns the profile of a device. Granule is in bytes, at least 1.
//
// A block that is released but not requested in the trace was requested before it, since the ring
// buffer of events drops the oldest ones. A block in use at the end that is in no event was in use for
// the whole trace.
//
// A release of another size than the requested one, exact or rounded up, is an [*EventError].
func NewProfile(d *Device, granule int64) (*Profile, error) {
	p := &Profile{Device: d, Granule: granule}
	b := profiler{Profile: p, alive: map[uint64]int32{}, last: max(len(d.Events)-1, 0)}
	requests := 0
	for i := range d.Events {
		if d.Events[i].Kind == Alloc {
			requests++
		}
	}
	p.Lives = make([]Life, 0, requests)
	for i := range d.Events {
		if err := b.event(i, &d.Events[i]); err != nil {
			return nil, err
		}
	}
	b.end()
	return p, nil
}

// An EventError describes an invalid event.
type EventError struct {
	Device  *Device
	Event   int // index in Device.Events
	Problem string
}

// Error returns "event INDEX of device DEVICE: PROBLEM".
func (e *EventError) Error() string {
	return fmt.Sprintf("event %d of device %d: %s", e.Event, e.Device.Index, e.Problem)
}

type profiler struct {
	*Profile
	early []Life
	alive map[uint64]int32 // indexes of Lives
	last  int
	cold  bool
}

func (b *profiler) event(i int, e *Event) error {
	switch e.Kind {
	case Interrupt, Resume:
		b.cold = e.Kind == Interrupt
	case Alloc:
		if k, again := b.alive[e.Block]; again {
			b.Lives[k].Last, b.Lives[k].Late = max(i-1, b.Lives[k].First), false
			b.Unseen++
		}
		b.alive[e.Block] = int32(len(b.Lives))
		b.Lives = append(b.Lives, Life{Block: e.Block, Size: e.Size, First: i, Last: b.last, Stack: e.Stack, Lane: e.Lane, Late: true, Cold: b.cold})
	case Free:
		k, known := b.alive[e.Block]
		if !known {
			b.early = append(b.early, Life{Block: e.Block, Size: e.Size, Last: max(i-1, 0), Stack: e.Stack, Lane: e.Lane, Early: true})
			return nil
		}
		delete(b.alive, e.Block)
		l := &b.Lives[k]
		l.Last, l.Late = max(i-1, l.First), false
		if e.Size != l.Size && e.Size != integer.RoundUp(l.Size, b.Granule) {
			return &EventError{b.Device, i, fmt.Sprintf("block %s is released with %s and was requested with %s", b.Device.Name(e.Block), units.ExactBytes(e.Size), units.ExactBytes(l.Size))}
		}
	}
	return nil
}

// end adds the blocks requested before the trace.
func (b *profiler) end() {
	for _, block := range b.Device.Blocks {
		if _, known := b.alive[block.Address]; !known {
			b.early = append(b.early, Life{Block: block.Address, Size: block.Size, Last: b.last, Stack: block.Stack, Lane: block.Lane, Early: true, Late: true})
		}
	}
	if len(b.early) > 0 {
		b.Lives = append(b.early, b.Lives...)
	}
}

// Residents returns the number and the requested bytes of the blocks in use for the whole trace, and of
// the blocks requested before the trace and released in it.
func (p *Profile) Residents() (whole int, wholeBytes int64, released int, releasedBytes int64) {
	for i := range p.Lives {
		switch l := &p.Lives[i]; {
		case l.Resident():
			whole, wholeBytes = whole+1, wholeBytes+l.Size
		case l.Early:
			released, releasedBytes = released+1, releasedBytes+l.Size
		}
	}
	return whole, wholeBytes, released, releasedBytes
}
