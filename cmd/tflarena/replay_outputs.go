package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"strconv"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// csv has a row for each block that is planned: the events at which it is in use, both inclusive,
// and its offset in the memory of its device, where parts lie one behind the other.
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

// each calls f for each block that is planned, in the order of their requests.
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

// mostDrawn is how many blocks a picture has: with more nobody could tell them apart, or open it.
const mostDrawn = 20_000

// drawn returns the plan of the only device for a picture: the largest blocks where there are too many.
func (r *replayed) drawn() (*export.Plan, error) {
	if len(r.devices) != 1 {
		return nil, usagef("a picture shows one device, and %s has %d: choose one with --device", r.title, len(r.devices))
	}
	d := &r.devices[0]
	var lives []int
	var offsets []int64
	d.each(func(life int, offset int64) { lives, offsets = append(lives, life), append(offsets, offset) })
	order := make([]int, len(lives))
	for k := range order {
		order[k] = k
	}
	area := func(k int) float64 {
		l := &d.Lives[lives[k]]
		return float64(l.Size) * float64(l.Last-l.First+1)
	}
	title := r.title
	if len(order) > mostDrawn {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(area(b), area(a)) })
		order = order[:mostDrawn]
		slices.Sort(order)
		title += " (the " + units.Exact(mostDrawn) + " largest blocks)"
	}
	p := &export.Plan{Name: title, Trace: true, Places: &alloc.Plan{Approach: alloc.Offsets, Total: d.plan.Total, LowerBound: d.plan.LowerBound}}
	for _, k := range order {
		l := &d.Lives[lives[k]]
		function, _ := r.trace.Caller(l.Stack)
		p.Records = append(p.Records, lifetime.Record{ID: d.Device.Name(l.Block), Name: function, First: l.First, Last: l.Last, Size: l.Size})
		p.Places.Offsets = append(p.Places.Offsets, offsets[k])
	}
	return p, nil
}

// picture draws the plan of the only device in a format.
func (r *replayed) picture(format string) ([]byte, error) {
	p, err := r.drawn()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = export.Write(&b, format, p)
	return b.Bytes(), err
}

// report returns the plan of the only device as a page shows it.
func (r *replayed) report() (*results.Report, error) {
	p, err := r.drawn()
	if err != nil {
		return nil, err
	}
	blocks := make([]results.Tensor, 0, len(p.Records))
	for _, b := range p.Records {
		blocks = append(blocks, results.NewTensor(nil, b))
	}
	return results.NewTraceReport(p.Name, "planned", blocks, p.Places), nil
}
