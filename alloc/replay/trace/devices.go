package trace

import (
	"fmt"
	"sort"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// devices makes the devices of the trace.
func (s *snapshot) devices() error {
	t := s.tree
	root := t.Root
	segments, traces := root, root
	if root.Kind() == pickle.Dict {
		var hasSegments, hasTraces bool
		segments, hasSegments = t.Get(root, "segments")
		traces, hasTraces = t.Get(root, "device_traces")
		if !hasSegments && !hasTraces {
			return &Error{Offset: 0, Problem: `the pickle is not a memory snapshot of PyTorch: it has neither "segments" nor "device_traces"`}
		}
		if !hasTraces {
			traces = segments // no item is a list
		}
	} else if root.Kind() != pickle.List {
		return &Error{Offset: 0, Problem: "the pickle is not a memory snapshot of PyTorch: it is " + root.Kind().String()}
	}
	for index, list := range t.Items(traces) {
		if list.Kind() == pickle.List && traces != segments {
			if err := s.addTrace(index, list); err != nil {
				return err
			}
		}
	}
	if err := s.addSegments(segments); err != nil {
		return err
	}
	s.trace.Devices = slices.DeleteFunc(s.trace.Devices, func(d *replay.Device) bool { return len(d.Events) == 0 && len(d.Segments) == 0 })
	if len(s.trace.Devices) == 0 {
		return &Error{Offset: -1, Problem: "the snapshot has no events and no segments: call torch.cuda.memory._record_memory_history() before the part that you want to see"}
	}
	slices.SortStableFunc(s.trace.Devices, func(a, b *replay.Device) int { return a.Index - b.Index })
	for _, d := range s.trace.Devices {
		s.trimLanes(d)
	}
	s.marks()
	s.notes()
	return nil
}

// device returns the device with an index, which it adds if necessary.
func (s *snapshot) device(index int) *replay.Device {
	for _, d := range s.trace.Devices {
		if d.Index == index {
			return d
		}
	}
	d := &replay.Device{Index: index, Lanes: s.lanes.list, Name: func(block uint64) string { return fmt.Sprintf("%#x", block) }}
	s.trace.Devices = append(s.trace.Devices, d)
	return d
}

// addTrace sets the events of a device. They are consecutive if PyTorch wrote the pickle.
func (s *snapshot) addTrace(index int, list pickle.Value) error {
	if index >= maxDevices {
		return wrong(s.tree, list, "there are more than %d devices", maxDevices)
	}
	items := s.tree.Items(list)
	if len(items) == 0 {
		return nil
	}
	d := s.device(index)
	first, _ := s.tree.Token(items[0])
	for k, item := range items {
		if token, ok := s.tree.Token(item); !ok {
			return wrong(s.tree, list, "item %d of the trace of device %d is not an event: it has no action", k, index)
		} else if token != first+k || token < s.used {
			return wrong(s.tree, list, "the trace of device %d has an event that is in another list as well", index)
		}
	}
	s.used = first + len(items)
	d.Events = s.events[first:s.used:s.used]
	return nil
}

// trimLanes renumbers the lanes of a device, without those that only others use.
func (s *snapshot) trimLanes(d *replay.Device) {
	all := d.Lanes
	own := make([]int, len(all))
	d.Lanes = nil
	renumber := func(lane *uint16) {
		if own[*lane] == 0 {
			d.Lanes = append(d.Lanes, all[*lane])
			own[*lane] = len(d.Lanes)
		}
		*lane = uint16(own[*lane] - 1)
	}
	for i := range d.Events {
		if d.Events[i].Kind != replay.Other {
			renumber(&d.Events[i].Lane)
		}
	}
	for i := range d.Segments {
		renumber(&d.Segments[i].Lane)
	}
	for i := range d.Blocks {
		renumber(&d.Blocks[i].Lane)
	}
	if len(d.Lanes) == 0 {
		d.Lanes = []replay.Lane{{}}
	}
}

// marks finds the ends of iterations: annotations of optimiser steps, which have a time and a device.
func (s *snapshot) marks() {
	list, ok := s.tree.Get(s.tree.Root, "external_annotations")
	if !ok {
		return
	}
	for _, a := range s.tree.Items(list) {
		if !s.firstRead(a) {
			continue // the same moment again
		}
		name, _ := s.tree.Get(a, "name")
		stage, _ := s.tree.Get(a, "stage")
		at, _ := s.tree.Get(a, "time_us")
		device, _ := s.tree.Get(a, "device")
		time, ok := s.tree.Int(at)
		if !ok || !strings.HasPrefix(s.tree.Text(name), "Optimizer.step") || !s.tree.Is(stage, "END") {
			continue
		}
		index, named := s.tree.Int(device)
		for _, d := range s.trace.Devices {
			if named && int64(d.Index) != index {
				continue
			}
			end := sort.Search(len(d.Events), func(i int) bool { return d.Events[i].Time > time }) - 1
			if end >= 0 && (len(d.Marks) == 0 || d.Marks[len(d.Marks)-1] < end) {
				d.Marks = append(d.Marks, end)
			}
		}
	}
}

// notes adds notes about unknown actions.
func (s *snapshot) notes() {
	var names []string
	for name := range s.unknown {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s.trace.Notes = append(s.trace.Notes, fmt.Sprintf("action %q is not known and counts as one that changes no memory", name))
	}
}

// offsetOf returns the offset of the dict of an event. It reads the file again.
func offsetOf(data []byte, event int) int64 {
	s := newSnapshot(len(data))
	offset, n := int64(-1), 0
	fold := func(t *pickle.Tree, dict pickle.Value) (int, bool, error) {
		_, ok, err := s.fold(t, dict)
		if ok && n == event {
			offset = t.Offset(dict)
		}
		if ok {
			n++
		}
		return n - 1, ok, err
	}
	_, _ = pickle.Decode(data, fold)
	return offset
}
