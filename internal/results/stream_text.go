package results

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tflarena/tflarena/internal/tables"
)

// Text returns the plan for people: the latency first, then the memory, then the layers with the
// longest waits.
func (r *Stream) Text(s Style) string {
	var b strings.Builder
	if !r.Feasible {
		what := " in " + s.bytes(r.BudgetBytes)
		if r.LatencyTargetMS > 0 {
			what = " for a run of at most " + inMS(r.LatencyTargetMS)
		}
		s.line(&b, "latency", s.Paint.Bad("no plan")+what)
		s.line(&b, "least budget", r.least(s))
		b.WriteString(s.Next(r.Next))
		return b.String()
	}
	by := r.Winner
	if r.Winner != r.Strategy {
		by += " (the best that " + r.Strategy + " found)"
	}
	s.line(&b, "latency", s.Paint.Strong(inMS(r.LatencyMS))+" by "+by)
	s.line(&b, "lower bound", r.bound(s))
	s.line(&b, "first run", inMS(r.FirstLatencyMS)+": it loads the resident weights beforehand")
	s.line(&b, "stalls", inMS(r.StallMS)+" of each run, while the processor waits for weights")
	memory := fmt.Sprintf("%s of a budget of %s", s.bytes(r.PeakBytes), s.bytes(r.BudgetBytes))
	if r.PeakBoundBytes > 0 {
		memory += ", at least " + s.bytes(r.PeakBoundBytes) + " for this latency"
	}
	s.line(&b, "memory", memory)
	s.line(&b, "reads", r.reads(s))
	s.line(&b, "least budget", r.least(s))
	s.line(&b, "resident", fmt.Sprintf("%s of %s of weights", s.bytes(r.ResidentBytes), s.bytes(r.WeightBytes)))
	if r.LatencyTargetMS > 0 {
		s.line(&b, "asked for", fmt.Sprintf("a run of at most %s, which cannot do with less than %s", inMS(r.LatencyTargetMS), s.bytes(r.LeastForLatencyBytes)))
	}
	if r.Segments > 0 {
		s.line(&b, "segments", r.files())
	}
	for _, note := range r.Notes {
		s.line(&b, "note", note.Text)
	}
	if t := r.table(s.Top); len(t.Rows) > 0 {
		s.table(&b, "layers that the processor waits for", t)
	}
	return b.String()
}

// files describes the segments.
func (r *Stream) files() string {
	return fmt.Sprintf("%s, one for each layer; how to run them is in %s", count(r.Segments, "file"), r.Manifest)
}

func (r *Stream) bound(s Style) string {
	text := inMS(r.LowerBoundMS)
	if r.ProvenOptimal {
		return text + ": " + s.Paint.Good("no plan is faster")
	}
	if r.LowerBoundMS == 0 {
		return text
	}
	return fmt.Sprintf("%s (the plan is within %.2f %% of it)", text, 100*(r.LatencyMS/r.LowerBoundMS-1))
}

// reads describes the bytes read per run, with their bound.
func (r *Stream) reads(s Style) string {
	text := s.bytes(*r.ReadBytes) + " of weights per run"
	switch {
	case *r.ReadBytes == 0 && r.WeightBytes > 0:
		return "none: all weights are resident"
	case *r.ReadBytes == r.ReadBoundBytes:
		return text + ", the minimum in this budget"
	case r.ReadBoundBytes > 0:
		return text + ", at least " + s.bytes(r.ReadBoundBytes) + " in this budget"
	}
	return text
}

func (r *Stream) least(s Style) string {
	if r.LeastBudgetProven {
		return s.bytes(r.LeastBudgetBytes) + ", proven"
	}
	return s.bytes(r.LeastBudgetBytes) + ", the smallest found"
}

// table returns the layers that the processor waits for, the longest wait first.
func (r *Stream) table(top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "layer", Kind: tables.Number},
		{Head: "waits ms", Kind: tables.Right},
		{Head: "loads", Kind: tables.Bytes},
		{Head: "load begins ms", Kind: tables.Right, Rank: 2},
		{Head: "ends ms", Kind: tables.Right, Rank: 3},
		{Head: "computes from ms", Kind: tables.Right, Rank: 4},
		{Head: "after layer", Kind: tables.Number, Rank: 5},
	}}
	type wait struct {
		layer StreamLayer
		ms    float64
	}
	var waits []wait
	before := 0.0
	for _, l := range r.Layers {
		if ms := l.ComputeBeginMS - before; ms > 1e-7 {
			waits = append(waits, wait{l, ms})
		}
		before = l.ComputeEndMS
	}
	sort.SliceStable(waits, func(i, j int) bool { return waits[i].ms > waits[j].ms })
	for i, w := range waits {
		if top > 0 && i == top && len(waits) > top+1 {
			row := t.Add("", "", fmt.Sprintf("(%s)", count(len(waits)-top, "other")), "", "", "", "")
			row.Summary = true
			break
		}
		l := w.layer
		t.Add(l.Layer, plainMS(w.ms), l.LoadBytes, plainMS(l.LoadBeginMS), plainMS(l.LoadEndMS), plainMS(l.ComputeBeginMS), l.WaitsFor)
	}
	return t
}

// inMS writes milliseconds for a sentence.
func inMS(ms float64) string { return plainMS(ms) + " ms" }

// plainMS writes milliseconds with three decimals and commas between thousands.
//
//go:noinline
func plainMS(ms float64) string { return humanize.FormatFloat("#,###.###", ms) }
