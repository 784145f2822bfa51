package main

import (
	"bytes"
	"encoding/csv"
	"strconv"
)

// csv has a row for each planned block: the events during which it is in use, both inclusive, and its
// offset in the memory of its device, where parts are consecutive.
func (r *replayed) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"device", "stream", "pool", "id", "first_event", "last_event", "size_bytes", "offset_bytes", "function"}}
	for i := range r.devices {
		d := &r.devices[i]
		d.each(func(life int, offset int64) {
			l := &d.Lives[life]
			lane := d.Device.Lanes[l.Lane]
			function, _ := r.trace.Caller(l.Stack)
			rows = append(rows, []string{
				strconv.Itoa(d.Device.Index), strconv.FormatInt(lane.Stream, 10), lane.Pool, d.Device.Name(l.Block),
				strconv.Itoa(l.First), strconv.Itoa(l.Last), strconv.FormatInt(l.Size, 10), strconv.FormatInt(offset, 10), function,
			})
		})
	}
	err := w.WriteAll(rows)
	return b.Bytes(), err
}

// each calls f for each planned block, in the order of requests.
func (d *replayedDevice) each(f func(life int, offset int64)) {
	offsets := make([]int64, len(d.Lives))
	for i := range offsets {
		offsets[i] = -1 // not planned
	}
	var base int64
	for i := range d.plan.Parts {
		part := &d.plan.Parts[i]
		for k, life := range part.Lives {
			offsets[life] = base + part.Offsets[k]
		}
		base += part.Total
	}
	for life, offset := range offsets {
		if offset >= 0 {
			f(life, offset)
		}
	}
}
