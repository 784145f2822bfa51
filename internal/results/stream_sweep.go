package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/internal/tables"
)

// A StreamSweep is the output of "stream" for many budgets.
type StreamSweep struct {
	Input string `json:"input"`
	Times string `json:"times"`
	// Smallest budget that has a plan, in bytes.
	LeastBudgetBytes  int64 `json:"least_budget_bytes"`
	LeastBudgetProven bool  `json:"least_budget_proven"`
	// Plans for rising budgets, the smallest first.
	Points []StreamPoint `json:"points"`
	// Budget in bytes after which more memory gains the least.
	KneeBytes   int64 `json:"knee_bytes"`
	Interrupted bool  `json:"interrupted"`
	// Command line that plans within that budget.
	Next     string `json:"next"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`
}

// A StreamPoint is the latency of a run in a budget.
type StreamPoint struct {
	// Budget in bytes: the one given, or the one found for a latency.
	BudgetBytes int64 `json:"budget_bytes"`
	// Time of a run that starts with the resident weights in memory, in milliseconds.
	LatencyMS float64 `json:"latency_ms"`
	// Lower bound in milliseconds on the time of a run within this budget.
	LowerBoundMS float64 `json:"lower_bound_ms"`
	// Latency of the published method (FlexNN) in milliseconds. Absent if it finds no plan.
	FlexNNLatencyMS float64 `json:"flexnn_latency_ms,omitempty"`
	// Time of the first run in milliseconds, including the load of the resident weights before it.
	FirstLatencyMS float64 `json:"first_latency_ms"`
	// End of the highest tensor, in bytes.
	PeakBytes int64 `json:"peak_bytes"`
	// Bytes of weights that a run reads.
	ReadBytes int64 `json:"read_bytes"`
}

// NewStreamSweep returns a curve as a result.
func NewStreamSweep(input, times string, c *stream.Curve) *StreamSweep {
	r := &StreamSweep{
		Input: input, Times: times, LeastBudgetBytes: c.Least.Bytes, LeastBudgetProven: c.Least.Optimal,
		Points: []StreamPoint{}, KneeBytes: c.Points[c.Knee].Budget, Interrupted: c.Interrupted, Notes: []Note{}, Warnings: []Note{},
	}
	for _, p := range c.Points {
		point := StreamPoint{
			BudgetBytes: p.Budget, LatencyMS: milliseconds(p.Best.Latency), LowerBoundMS: milliseconds(p.LowerBound),
			FirstLatencyMS: milliseconds(p.Best.First), PeakBytes: p.Best.Peak, ReadBytes: p.Best.Read,
		}
		if p.Published != nil {
			point.FlexNNLatencyMS = milliseconds(p.Published.Latency)
		}
		r.Points = append(r.Points, point)
	}
	return r
}

// Text returns the curve for people.
func (r *StreamSweep) Text(s Style) string {
	var b strings.Builder
	least := s.bytes(r.LeastBudgetBytes)
	if r.LeastBudgetProven {
		least += ", proven"
	}
	s.line(&b, "least budget", least)
	s.line(&b, "knee", s.Paint.Strong(s.bytes(r.KneeBytes))+": more memory buys less from here on")
	b.WriteString(s.Next(r.Next))
	for _, note := range r.Notes {
		s.line(&b, "note", note.Text)
	}
	t := &tables.Table{Columns: []tables.Column{
		{Head: "budget", Kind: tables.Bytes},
		{Head: "latency ms", Kind: tables.Right},
		{Head: "bound ms", Kind: tables.Right},
		{Head: "gap", Kind: tables.Right, Rank: 3},
		{Head: "flexnn ms", Kind: tables.Right, Rank: 2},
		{Head: "", Rank: 4},
	}}
	for _, p := range r.Points {
		published, mark := "-", ""
		if p.FlexNNLatencyMS > 0 {
			published = plainMS(p.FlexNNLatencyMS)
		}
		if p.BudgetBytes == r.KneeBytes {
			mark = "the knee"
		}
		t.Add(p.BudgetBytes, plainMS(p.LatencyMS), plainMS(p.LowerBoundMS), r.gap(p), published, mark)
	}
	s.table(&b, "how long a run takes in each budget", t)
	return b.String()
}

func (r *StreamSweep) gap(p StreamPoint) string {
	if p.LatencyMS == 0 {
		return "0.00 %"
	}
	return fmt.Sprintf("%.2f %%", 100*(1-p.LowerBoundMS/p.LatencyMS))
}
