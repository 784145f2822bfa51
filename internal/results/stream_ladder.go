package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
)

// StreamText returns the plans of one network for people: one plan as [Stream.Text], several as a table with a row for each
// budget.
func StreamText(list []*Stream, s Style) string {
	first := list[0]
	if len(list) == 1 {
		return first.Text(s)
	}
	var b strings.Builder
	s.line(&b, "least budget", first.least(s))
	s.line(&b, "weights", s.bytes(first.WeightBytes))
	if first.Segments > 0 {
		s.line(&b, "segments", first.files()+", the same for all budgets")
	}
	for _, note := range first.Notes {
		s.line(&b, "note", note.Text)
	}
	t := &tables.Table{Columns: []tables.Column{
		{Head: "budget", Kind: tables.Bytes},
		{Head: "memory", Kind: tables.Bytes, Rank: 2},
		{Head: "latency ms", Kind: tables.Right},
		{Head: "bound ms", Kind: tables.Right, Rank: 5},
		{Head: "first run ms", Kind: tables.Right, Rank: 6},
		{Head: "reads", Kind: tables.Bytes, Rank: 3},
		{Head: "own plan ms", Kind: tables.Right, Rank: 4},
		{Head: "cost", Kind: tables.Right},
	}}
	for _, r := range list {
		t.Add(r.BudgetBytes, r.PeakBytes, plainMS(r.LatencyMS), plainMS(r.LowerBoundMS), plainMS(r.FirstLatencyMS), *r.ReadBytes, plainMS(r.OwnLatencyMS), r.cost())
	}
	s.table(&b, "one plan for each budget; cost is against a plan for that budget alone", t)
	return b.String()
}

// cost returns by how much a run is longer than one of a plan for the budget alone.
func (r *Stream) cost() string {
	if r.OwnLatencyMS == 0 {
		return "0.0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*(r.LatencyMS/r.OwnLatencyMS-1))
}
