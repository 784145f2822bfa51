package trace

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/internal/units"
)

const (
	// maxSize is the largest block, in bytes.
	maxSize = int64(1) << 50
	// maxDevices is far above the number of devices of any program.
	maxDevices = 1 << 12
)

// kinds are the events of JSON lines and CSV.
var kinds = map[string]replay.Kind{
	"alloc": replay.Alloc, "free": replay.Free, "interrupt": replay.Interrupt, "resume": replay.Resume, "step": replay.Step,
}

// A row has the fields of an event as text. Missing fields are empty.
type row struct{ event, id, size, device, stream, pool, time, function string }

// collector makes a trace of rows, and checks requests and releases.
type collector struct {
	events  []replay.Event
	devices []int32 // of each event if there are several; -1 is all
	live    map[liveBlock]int64
	lanes   lanes
	names   []string
	known   map[string]uint64
	callers []string
	caller  map[string]int32
	last    int32
	several bool
	err     error
}

// liveBlock is a block in use on a device.
type liveBlock struct {
	device int32
	block  uint64
}

// namedBlock is a bit in the number of a block whose ID is not a plain number.
const namedBlock = uint64(1) << 63

func newCollector(rows int) *collector {
	return &collector{
		events: make([]replay.Event, 0, rows), live: map[liveBlock]int64{}, known: map[string]uint64{}, caller: map[string]int32{}, lanes: newLanes(),
	}
}

func (c *collector) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// add adds an event, or returns an error about the row.
func (c *collector) add(r row) error {
	kind, ok := kinds[r.event]
	if !ok {
		return fmt.Errorf("event %q is not one of alloc, free, interrupt, resume and step", r.event)
	}
	device := int32(-1)
	isBlock := kind == replay.Alloc || kind == replay.Free
	if r.device != "" || isBlock {
		device = int32(c.number("device", r.device, 0, maxDevices-1))
	}
	e := replay.Event{Kind: kind, Time: c.number("time_us", r.time, math.MinInt64, math.MaxInt64), Stack: -1}
	if isBlock {
		c.block(&e, r, device)
	}
	if c.err != nil {
		return c.err
	}
	if len(c.events) > 0 && device != c.last && !c.several {
		c.several = true
		for range c.events {
			c.devices = append(c.devices, c.last)
		}
	}
	if c.last = device; c.several {
		c.devices = append(c.devices, device)
	}
	c.events = append(c.events, e)
	return nil
}

// block sets the fields of an event about a block.
func (c *collector) block(e *replay.Event, r row, device int32) {
	if r.id == "" {
		c.fail("%s has no id: say which block it is about", r.event)
		return
	}
	e.Block = c.number64(r.id)
	lane := replay.Lane{Stream: c.number("stream", r.stream, math.MinInt64, math.MaxInt64), Pool: r.pool}
	if e.Lane, c.err = c.lanes.of(lane, c.err); r.function != "" {
		e.Stack = c.callerOf(r.function)
	}
	key := liveBlock{device, e.Block}
	size, inUse := c.live[key]
	switch {
	case e.Kind == replay.Alloc && inUse:
		c.fail("block %s is requested again before it is released", r.id)
	case e.Kind == replay.Free && !inUse:
		c.fail("block %s is released, and was not requested", r.id)
	case e.Kind == replay.Alloc && r.size == "":
		c.fail("block %s has no size", r.id)
	case e.Kind == replay.Alloc:
		e.Size = c.number("size", r.size, 0, maxSize)
		c.live[key] = e.Size
	default:
		e.Size = size
		if r.size != "" && c.number("size", r.size, 0, maxSize) != size {
			c.fail("block %s is released with %s B and was requested with %s", r.id, r.size, units.ExactBytes(size))
		}
		delete(c.live, key)
	}
}

// number reads an integer in [least, most]. Empty is 0.
func (c *collector) number(field, text string, least, most int64) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		c.fail("%s %q is not a whole number of up to 64 bits", field, text)
	case n < least || n > most:
		c.fail("%s %d is not between %d and %d", field, n, least, most)
	}
	return n
}

// number64 returns the number of a block: its ID if that is a plain number.
func (c *collector) number64(id string) uint64 {
	if n, err := strconv.ParseUint(id, 10, 63); err == nil && (id[0] != '0' || id == "0") {
		return n
	}
	n, ok := c.known[id]
	if !ok {
		n = namedBlock | uint64(len(c.names))
		id = strings.Clone(id) // or the whole row would be kept
		c.known[id] = n
		c.names = append(c.names, id)
	}
	return n
}

func (c *collector) callerOf(function string) int32 {
	n, ok := c.caller[function]
	if !ok {
		n = int32(len(c.callers))
		function = strings.Clone(function)
		c.caller[function] = n
		c.callers = append(c.callers, function)
	}
	return n
}

// trace returns the collected trace.
func (c *collector) trace() *replay.Trace {
	t := &replay.Trace{Granule: 1, Caller: func(stack int32) (string, string) {
		if stack < 0 {
			return "", ""
		}
		return c.callers[stack], ""
	}}
	names := c.names
	name := func(block uint64) string {
		if block&namedBlock != 0 {
			return names[block&^namedBlock]
		}
		return strconv.FormatUint(block, 10)
	}
	c.live, c.known = nil, nil
	if !c.several {
		t.Devices = []*replay.Device{{Index: int(max(c.last, 0)), Events: c.events, Lanes: c.lanes.list, Name: name}}
		return t
	}
	t.Devices = c.split(name)
	return t
}
