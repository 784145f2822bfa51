package trace

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay"
)

// splitter gives each device of a text its events.
type splitter struct {
	// common are the events without a device, steps and pauses (interrupt and resume) apart.
	steps, pauses []int
	of            map[int32]*ownEvents
}

// ownEvents are the events of one device, and how many steps and pauses it has or has passed over.
type ownEvents struct {
	*replay.Device
	steps, pauses int
}

// split returns the devices in the order of their numbers. An event without a device concerns each of
// them. Where there are several, a device has only the first step and the last interrupt or resume
// between two events of its own: further ones change nothing in its memory, and copies of them for
// each of many devices would take far more memory than the file.
func (c *collector) split(name func(block uint64) string) []*replay.Device {
	s := splitter{of: map[int32]*ownEvents{}}
	var list []*replay.Device
	for i := range c.events {
		number := c.devices[i]
		switch d := s.of[number]; {
		case number >= 0 && d == nil:
			d = &ownEvents{Device: &replay.Device{Index: int(number), Lanes: c.lanes.list, Name: name}}
			s.of[number] = d
			list = append(list, d.Device)
			fallthrough
		case number >= 0:
			d = s.of[number]
			s.catchUp(d, c.events)
			d.Events = append(d.Events, c.events[i])
		case c.events[i].Kind == replay.Step:
			s.steps = append(s.steps, i)
		default:
			s.pauses = append(s.pauses, i)
		}
	}
	if len(list) == 1 {
		list[0].Events = c.events
		return list
	}
	for _, d := range s.of {
		s.catchUp(d, c.events)
	}
	slices.SortFunc(list, func(a, b *replay.Device) int { return a.Index - b.Index })
	return list
}

// catchUp gives a device the events without a device since its last own one.
func (s *splitter) catchUp(d *ownEvents, events []replay.Event) {
	var at []int
	if d.steps < len(s.steps) {
		at = append(at, s.steps[d.steps])
	}
	if d.pauses < len(s.pauses) {
		at = append(at, s.pauses[len(s.pauses)-1])
	}
	slices.Sort(at)
	for _, i := range at {
		d.Events = append(d.Events, events[i])
	}
	d.steps, d.pauses = len(s.steps), len(s.pauses)
}
