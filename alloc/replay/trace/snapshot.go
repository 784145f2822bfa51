package trace

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// snapshotGranule is the granule of PyTorch's allocator, in bytes.
const snapshotGranule = 512

// A snapshot is the state of reading a snapshot.
type snapshot struct {
	tree    *pickle.Tree
	data    int // size of the file in bytes
	first   int // offset of the first event
	events  []replay.Event
	keySets keySets
	actions map[pickle.Value]replay.Kind
	pools   map[pickle.Value]string
	lanes   lanes
	unknown map[string]int // counts of unknown actions
	trace   *replay.Trace
	used    int // events that belong to a device
	// seen are the containers that have been read.
	seen map[pickle.Value]bool
	// release, if not nil, is called for bytes before the last dict that was read. All bytes before
	// released have been released.
	release  func(from, to int)
	released int
}

// releaseStep is the number of bytes released at a time.
const releaseStep = 64 << 20

func readSnapshot(data []byte, release func(from, to int)) (*replay.Trace, error) {
	s := newSnapshot(len(data))
	s.release = release
	tree, err := pickle.Decode(data, s.fold)
	if err != nil {
		return nil, located(err)
	}
	if release != nil {
		release(s.released, len(data))
	}
	s.tree, s.keySets = tree, keySets{}
	s.trace = &replay.Trace{Granule: snapshotGranule, Caller: newCallers(tree).of}
	if err := s.devices(); err != nil {
		return nil, located(err)
	}
	tree.Trim()
	return s.trace, nil
}

func newSnapshot(bytes int) *snapshot {
	return &snapshot{
		data: bytes, actions: map[pickle.Value]replay.Kind{}, pools: map[pickle.Value]string{}, lanes: newLanes(), unknown: map[string]int{}, seen: map[pickle.Value]bool{},
	}
}

// located turns an error of the pickle into one of the trace.
func located(err error) error {
	if e := (*pickle.Error)(nil); errors.As(err, &e) {
		return &Error{Offset: e.Offset, Problem: e.Problem}
	}
	return err
}

// wrong returns an error about a value.
func wrong(t *pickle.Tree, at pickle.Value, format string, args ...any) error {
	return &Error{Offset: t.Offset(at), Problem: fmt.Sprintf(format, args...)}
}

// fold takes events out of the tree while it is read. There may be millions.
func (s *snapshot) fold(t *pickle.Tree, dict pickle.Value) (token int, ok bool, err error) {
	fields := s.keySets.of(t, dict)
	if !fields.isEvent {
		return 0, false, nil
	}
	e, err := s.event(t, dict, fields)
	if err != nil {
		return 0, false, err
	}
	if len(s.events) == cap(s.events) {
		s.grow(int(t.Offset(dict)))
	}
	s.events = append(s.events, e)
	if at := int(t.Offset(dict)); s.release != nil && at-s.released >= releaseStep {
		s.release(s.released, at)
		s.released = at
	}
	return len(s.events) - 1, true, nil
}

// grow makes room for all events of the file, estimated from the events before offset at. This saves
// repeated copies.
func (s *snapshot) grow(at int) {
	const least = 1 << 10
	if len(s.events) == 0 {
		s.first = at
	}
	room := 2 * max(len(s.events), least)
	if len(s.events) > 1<<16 && at > s.first {
		room = int(float64(len(s.events))*float64(s.data-s.first)/float64(at-s.first)*1.02) + least
	}
	events := make([]replay.Event, room)
	prefault(events)
	s.events = events[:copy(events, s.events)]
}

// event reads one element of device_traces. A release counts when it is completed.
func (s *snapshot) event(t *pickle.Tree, dict pickle.Value, f *keySet) (e replay.Event, err error) {
	pairs := t.Pairs(dict)
	e.Stack = -1
	get := func(field int) pickle.Value { return pairs[f.at[field]] }
	e.Kind = s.action(t, get(fieldAction))
	if f.at[fieldFrames] >= 0 {
		if n, isList := t.Number(get(fieldFrames)); isList {
			e.Stack = int32(n)
		}
	}
	if f.at[fieldTime] >= 0 {
		e.Time, _ = t.Int(get(fieldTime))
	}
	if e.Kind == replay.Other {
		return e, nil
	}
	if f.at[fieldAddress] < 0 || f.at[fieldSize] < 0 {
		return e, wrong(t, dict, "a %s has no addr or no size", t.Text(get(fieldAction)))
	}
	address, isInt := t.Int(get(fieldAddress))
	size, isSize := t.Int(get(fieldSize))
	if !isInt || !isSize || size < 0 || size > maxSize {
		return e, wrong(t, dict, "the addr or the size of a %s is not a number of bytes", t.Text(get(fieldAction)))
	}
	e.Block, e.Size = uint64(address), size
	e.Lane, err = s.lane(t, pairs, f)
	if err != nil {
		err = wrong(t, dict, "%v", err)
	}
	return e, err
}

// lane returns the number of the stream and the pool of an event.
func (s *snapshot) lane(t *pickle.Tree, pairs []pickle.Value, f *keySet) (uint16, error) {
	var lane replay.Lane
	if f.at[fieldStream] >= 0 {
		lane.Stream, _ = t.Int(pairs[f.at[fieldStream]])
	}
	if f.at[fieldPool] >= 0 {
		lane.Pool = s.pool(t, pairs[f.at[fieldPool]])
	}
	return s.lanes.of(lane, nil)
}

// pool returns the name of a pool_id, a pair of numbers. (0, 0) is the common pool.
func (s *snapshot) pool(t *pickle.Tree, id pickle.Value) string {
	if name, known := s.pools[id]; known {
		return name
	}
	name := ""
	if items := t.Items(id); len(items) == 2 {
		a, _ := t.Int(items[0])
		b, _ := t.Int(items[1])
		if a != 0 || b != 0 {
			name = fmt.Sprintf("%d:%d", a, b)
		}
	}
	if len(s.pools) < maxLanes {
		s.pools[id] = name
	}
	return name
}

// actions of PyTorch that change memory.
var actions = map[string]replay.Kind{
	"alloc": replay.Alloc, "free": replay.Free, "free_completed": replay.Free,
	"segment_alloc": replay.SegmentAlloc, "segment_free": replay.SegmentFree, "segment_map": replay.SegmentMap, "segment_unmap": replay.SegmentUnmap,
}

// ignored are actions that change no memory.
var ignored = map[string]bool{"free_requested": true, "snapshot": true, "oom": true, "user_defined": true, "workspace_snapshot": true}

func (s *snapshot) action(t *pickle.Tree, v pickle.Value) replay.Kind {
	if kind, known := s.actions[v]; known {
		return kind
	}
	text := t.Text(v)
	kind, known := actions[text]
	if !known {
		kind = replay.Other
		if !ignored[text] && len(s.unknown) < 100 {
			s.unknown[text]++
		}
	}
	if len(s.actions) < 1000 {
		s.actions[v] = kind
	}
	return kind
}
