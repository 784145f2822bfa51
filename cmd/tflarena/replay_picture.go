package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// mostDrawn is the largest number of blocks in a picture: more could not be distinguished, or
// displayed.
const mostDrawn = 20_000

// drawn returns the plan of the only device for a picture, limited to the largest blocks.
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
		title += " (the " + units.Number(mostDrawn) + " largest blocks)"
	}
	p := &export.Plan{Name: title, Trace: true, Load: d.load(lives), Notes: d.words(&r.result.Devices[0]), Places: &alloc.Plan{Approach: alloc.Offsets, Total: d.plan.Total, LowerBound: d.plan.LowerBound}}
	for _, k := range order {
		l := &d.Lives[lives[k]]
		function, _ := r.trace.Caller(l.Stack)
		p.Records = append(p.Records, lifetime.Record{ID: d.Device.Name(l.Block), Name: function, First: l.First, Last: l.Last, Size: l.Size})
		p.Places.Offsets = append(p.Places.Offsets, offsets[k])
	}
	return p, nil
}

// load returns the bytes of blocks over time.
func (d *replayedDevice) load(lives []int) []lifetime.Section {
	records := make([]lifetime.Record, 0, len(lives))
	for _, life := range lives {
		l := &d.Lives[life]
		records = append(records, lifetime.Record{First: l.First, Last: l.Last, Size: l.Size})
	}
	return lifetime.Sections(records)
}

// words returns the subtitle of a picture: the planner, and the memory reserved without a plan.
func (d *replayedDevice) words(figures *results.ReplayDevice) (words []string) {
	var by []string
	for i := range d.plan.Parts {
		if winner := d.plan.Parts[i].Winner; winner != "" && !slices.Contains(by, winner) {
			by = append(by, winner)
		}
	}
	if len(by) > 0 {
		words = append(words, "planned by "+strings.Join(by, ", "))
	}
	if n := len(d.plan.Parts); n > 1 {
		words = append(words, fmt.Sprintf("%d streams and pools, which lie one behind the other", n))
	}
	if figures.ReservedBytes != nil {
		words = append(words, "when the trace was recorded, "+units.Bytes(*figures.ReservedBytes)+" were reserved")
	}
	return words
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

// report returns the plan of the only device for a page.
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
