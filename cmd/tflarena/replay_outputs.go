package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// replayCSV has a row for each planned block: the events during which it is in use, both inclusive, and its
// offset in the memory of its device, where parts are consecutive. The n-th row of a block that is
// requested several times has the ID "NAME#n".
func replayCSV(r *app.Replayed) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"id", "lower", "upper", "size", "offset", "device", "stream", "pool", "function"}}
	rowsOf, taken := map[string]int{}, map[string]bool{}
	id := func(block string) string {
		unique := block
		if rowsOf[block]++; rowsOf[block] > 1 {
			unique = fmt.Sprintf("%s#%d", block, rowsOf[block])
		}
		for taken[unique] {
			unique += "#" // another block has this name
		}
		taken[unique] = true
		return unique
	}
	for i := range r.Plans {
		d := &r.Plans[i]
		eachBlock(d, func(life int, offset int64) {
			l := &d.Lives[life]
			lane := d.Device.Lanes[l.Lane]
			function, _ := r.Trace.Caller(l.Stack)
			rows = append(rows, []string{
				id(d.Device.Name(l.Block)), strconv.Itoa(l.First), strconv.Itoa(l.Last + 1), strconv.FormatInt(l.Size, 10), strconv.FormatInt(offset, 10),
				strconv.Itoa(d.Device.Index), strconv.FormatInt(lane.Stream, 10), lane.Pool, function,
			})
		})
	}
	err := w.WriteAll(rows)
	return b.Bytes(), err
}

// eachBlock calls f for each planned block, in the order of requests.
func eachBlock(d *app.DevicePlan, f func(life int, offset int64)) {
	offsets := make([]int64, len(d.Lives))
	for i := range offsets {
		offsets[i] = -1 // not planned
	}
	var base int64
	for i := range d.Plan.Parts {
		part := &d.Plan.Parts[i]
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

// mostDrawn is the largest number of blocks in a picture: more could not be distinguished, or
// displayed.
const mostDrawn = 20_000

// drawnReplay returns the plan of the only device for a picture, limited to the largest blocks.
func drawnReplay(r *app.Replayed) (*export.Plan, error) {
	if len(r.Plans) != 1 {
		return nil, usagef("a picture shows one device, and %s has %d: choose one with --device", r.Input, len(r.Plans))
	}
	d := &r.Plans[0]
	var lives []int
	var offsets []int64
	eachBlock(d, func(life int, offset int64) { lives, offsets = append(lives, life), append(offsets, offset) })
	order := make([]int, len(lives))
	for k := range order {
		order[k] = k
	}
	area := func(k int) float64 {
		l := &d.Lives[lives[k]]
		return float64(l.Size) * float64(l.Last-l.First+1)
	}
	title := r.Input
	if len(order) > mostDrawn {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(area(b), area(a)) })
		order = order[:mostDrawn]
		slices.Sort(order)
		title += " (the " + units.Number(mostDrawn) + " largest blocks)"
	}
	p := &export.Plan{Name: title, Trace: true, Load: loadOf(d, lives), Notes: planWords(d, &r.Devices[0]), Places: &alloc.Plan{Approach: alloc.Offsets, Total: d.Plan.Total, LowerBound: d.Plan.LowerBound}}
	for _, k := range order {
		l := &d.Lives[lives[k]]
		function, _ := r.Trace.Caller(l.Stack)
		p.Records = append(p.Records, lifetime.Record{ID: d.Device.Name(l.Block), Name: function, First: l.First, Last: l.Last, Size: l.Size})
		p.Places.Offsets = append(p.Places.Offsets, offsets[k])
	}
	return p, nil
}

// loadOf returns the bytes of blocks over time.
func loadOf(d *app.DevicePlan, lives []int) []lifetime.Section {
	records := make([]lifetime.Record, 0, len(lives))
	for _, life := range lives {
		l := &d.Lives[life]
		records = append(records, lifetime.Record{First: l.First, Last: l.Last, Size: l.Size})
	}
	return lifetime.Sections(records)
}

// planWords returns the subtitle of a picture: the planner, and the memory reserved without a plan.
func planWords(d *app.DevicePlan, figures *results.ReplayDevice) (words []string) {
	var by []string
	for i := range d.Plan.Parts {
		if winner := d.Plan.Parts[i].Winner; winner != "" && !slices.Contains(by, winner) {
			by = append(by, winner)
		}
	}
	if len(by) > 0 {
		words = append(words, "planned by "+strings.Join(by, ", "))
	}
	if n := len(d.Plan.Parts); n > 1 {
		words = append(words, fmt.Sprintf("%d streams and pools, which lie one behind the other", n))
	}
	if figures.ReservedBytes != nil {
		words = append(words, "when the trace was recorded, "+units.Bytes(*figures.ReservedBytes)+" were reserved")
	}
	return words
}

// replayReport returns the drawn plan of a device for a page.
func replayReport(p *export.Plan) *results.Report {
	blocks := make([]results.Tensor, 0, len(p.Records))
	for _, b := range p.Records {
		blocks = append(blocks, results.NewTensor(nil, b))
	}
	return results.NewTraceReport(p.Name, "planned", blocks, p.Places)
}
