package trace

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay"
)

// splitter divides events among devices.
type splitter struct {
	// steps and pauses (interrupts and resumes) are the indexes of the events without a device.
	steps, pauses []int
	of            map[int32]*deviceEvents
}

// deviceEvents are the events of a device. steps and pauses count the common events already handled.
type deviceEvents struct {
	*replay.Device
	steps, pauses int
}

// split returns the devices sorted by index. An event without a device belongs to all of them. If there
// are several devices, each has only the first step and the last interrupt or resume between two of its
// own events: others do not affect its memory, and copies for many devices would take far more memory
// than the file.
func (c *collector) split(name func(block uint64) string) []*replay.Device {
	s := splitter{of: map[int32]*deviceEvents{}}
	var list []*replay.Device
	for i := range c.events {
		number := c.devices[i]
		switch d := s.of[number]; {
		case number >= 0 && d == nil:
			d = &deviceEvents{Device: &replay.Device{Index: int(number), Lanes: c.lanes.list, Name: name}}
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

// catchUp adds the common events since the last event of a device.
func (s *splitter) catchUp(d *deviceEvents, events []replay.Event) {
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
