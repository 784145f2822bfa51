package results

import (
	"fmt"
	"math"
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Text returns the trace for people: the reserved memory, the sufficient memory, and the causes of the
// difference.
func (r *Replay) Text(s Style) string {
	var b strings.Builder
	for i := range r.Devices {
		if i > 0 {
			b.WriteString("\n")
		}
		r.device(&b, s, &r.Devices[i])
	}
	for _, note := range r.Notes {
		s.line(&b, "note", note.Text)
	}
	if r.Next != "" {
		b.WriteString("\n" + s.Next(r.Next))
	}
	return b.String()
}

func (r *Replay) device(b *strings.Builder, s Style, d *ReplayDevice) {
	if len(r.Devices) > 1 || d.Device > 0 {
		s.line(b, "device", s.Paint.Strong(fmt.Sprint(d.Device)))
	}
	s.line(b, "trace", fmt.Sprintf("%s, %s of %s", r.Form, count(d.Events, "event"), count(d.Blocks, "block")))
	if d.ReservedBytes != nil {
		text := s.bytes(*d.ReservedBytes) + " at the peak"
		if *d.ReservedAtEnd != *d.ReservedBytes {
			text += ", " + s.bytes(*d.ReservedAtEnd) + " at the end"
		}
		s.line(b, "reserved", text)
	}
	if r.Granule > 1 {
		s.line(b, "allocated", fmt.Sprintf("%s at the peak, sizes rounded up to %s", s.bytes(d.AllocatedPeakBytes), s.short(r.Granule)))
	}
	s.line(b, "requested", s.bytes(d.RequestedPeakBytes)+" at the peak")
	if d.Fragmentation != nil {
		s.line(b, "fragmented", fmt.Sprintf("%.1f %% of what is reserved at its peak is not allocated", 100**d.Fragmentation))
	}
	s.line(b, "planned", s.Paint.Strong(s.bytes(d.TotalBytes))+d.gain(s))
	s.line(b, "lower bound", s.bytes(d.LowerBoundBytes))
	s.line(b, "optimal", s.optimal(d.ProvenOptimal, d.Proof, d.TotalBytes, d.LowerBoundBytes))
	d.before(b, s)
	d.iterations(b, s)
	d.tables(b, s)
}

// gain compares the plan with the reserved memory.
func (d *ReplayDevice) gain(s Style) string {
	if d.ReservedBytes == nil || *d.ReservedBytes == 0 {
		return ""
	}
	saved := *d.ReservedBytes - d.TotalBytes
	if saved <= 0 {
		return ", no less than was reserved"
	}
	return fmt.Sprintf(", %s or %s less than was reserved", s.Paint.Good(units.Percent(saved, *d.ReservedBytes)), s.bytes(saved))
}

// before writes the blocks from before the trace, and the unplanned ones.
func (d *ReplayDevice) before(b *strings.Builder, s Style) {
	if d.ResidentBlocks > 0 {
		s.line(b, "resident", fmt.Sprintf("%s with %s, in use from before the trace begins to its end: kept for its whole length",
			count(d.ResidentBlocks, "block"), s.bytes(d.ResidentBytes)))
	}
	if d.EarlyBlocks > 0 {
		s.line(b, "early", fmt.Sprintf("%s with %s, in use before the trace begins and released in it", count(d.EarlyBlocks, "block"), s.bytes(d.EarlyBytes)))
	}
	if d.ColdBlocks > 0 {
		s.line(b, "not planned", count(d.ColdBlocks, "block")+", requested while the trace was interrupted")
	}
}

func (d *ReplayDevice) iterations(b *strings.Builder, s Style) {
	c := d.Iterations
	if c == nil {
		return
	}
	source := c.Source
	if source == replay.BySizes {
		source = "sizes that repeat"
	}
	s.line(b, "iterations", fmt.Sprintf("%s (from %s); the plan of iteration %d fits %d of them", count(len(c.List), "iteration"), source, c.Reference, c.Fitting))
	s.line(b, "in order", fmt.Sprintf("%s: %s reused by each of these iterations, and %s for all other blocks",
		s.Paint.Strong(s.bytes(c.HotBytes+c.KeptBytes)), s.bytes(c.HotBytes), s.bytes(c.KeptBytes)))
}

func (d *ReplayDevice) tables(b *strings.Builder, s Style) {
	if len(d.Parts) > 1 {
		s.table(b, "parts that share no memory", d.parts())
	}
	if len(d.Simulated) > 0 {
		s.table(b, "what allocators reserve for the same requests", d.simulated())
	}
	if d.Iterations != nil {
		s.table(b, "iterations (events half-open)", d.Iterations.table(s.Top))
	}
	if len(d.Holders) > 0 {
		title := "who holds memory at the reserved peak, and wastes it"
		if d.ReservedBytes == nil {
			title = "who holds memory at the peak"
		}
		s.table(b, title, d.holders(s.Top))
	}
}

func (d *ReplayDevice) parts() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "streams", Kind: tables.Right},
		{Head: "pools", Kind: tables.Name},
		{Head: "blocks", Kind: tables.Number},
		{Head: "planned", Kind: tables.Bytes},
		{Head: "bound", Kind: tables.Bytes, Rank: 2},
		{Head: "optimal"},
	}}
	for _, p := range d.Parts {
		streams := strings.Trim(fmt.Sprint(p.Streams), "[]")
		optimal := "not proven"
		if p.ProvenOptimal {
			optimal = "yes"
		}
		t.Add(streams, strings.TrimSpace(strings.Join(p.Pools, " ")), p.Blocks, p.TotalBytes, p.LowerBoundBytes, optimal)
	}
	return t
}

func (d *ReplayDevice) simulated() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{{Head: "allocator"}, {Head: "reserved", Kind: tables.Bytes}, {Head: "beside the plan", Kind: tables.Right}}}
	if d.ReservedBytes != nil {
		t.Add("(as recorded)", *d.ReservedBytes, comparedWithPlan(*d.ReservedBytes, d.TotalBytes))
	}
	for _, x := range d.Simulated {
		t.Add(x.text(), x.ReservedBytes, comparedWithPlan(x.ReservedBytes, d.TotalBytes))
	}
	return t
}

// text names an allocator for people.
func (x *Simulated) text() string {
	switch {
	case x.Plans != nil:
		return "in order, with " + count(*x.Plans, "plan")
	case x.Allocator == PyTorch:
		return "PyTorch"
	case x.Allocator == PyTorchExpandable:
		return "PyTorch, expandable segments"
	case x.Allocator == Chainer:
		return "Chainer's pool"
	}
	return string(x.Allocator)
}

// comparedWithPlan compares bytes with a plan: in percent, or as a factor if that is clearer.
func comparedWithPlan(bytes, plan int64) string {
	const percents = 11 // the largest factor written as a percentage
	switch {
	case bytes == plan:
		return "the same"
	case plan <= 0:
		return "more"
	case bytes < plan:
		return units.Percent(plan-bytes, plan) + " less"
	case bytes/percents >= plan:
		return units.Number(int64(math.Round(float64(bytes)/float64(plan)))) + " times"
	}
	return units.Percent(bytes-plan, plan) + " more"
}
