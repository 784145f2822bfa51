package results

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
)

// NewTilePlan returns a plan of one case of a problem of tiles as a result. Positions are steps.
// records are in half steps.
func NewTilePlan(input, name string, s lifetime.Semantics, records []lifetime.Record, p *alloc.Plan) *Plan {
	steps := make([]lifetime.Record, len(records))
	for i, r := range records {
		r.First, r.Last = r.First/2, r.Last/2
		steps[i] = r
	}
	r := NewPlan(input, "", nil, steps, p)
	r.Case, r.Semantics = name, s
	return r
}

// title names a case for people.
func (r *Plan) title() string {
	name := r.Case
	if name == "" {
		name = "without a name"
	}
	return name + ", " + string(r.Semantics) + " steps"
}

// TilesText returns the plans of the cases of a file for people: a single one in full, several as a row
// each.
func TilesText(plans []*Plan, s Style) string {
	if len(plans) == 1 {
		return plans[0].Text(s)
	}
	t := &tables.Table{Columns: []tables.Column{
		{Head: "case", Kind: tables.Name},
		{Head: "tensors", Kind: tables.Number},
		{Head: "total", Kind: tables.Bytes},
		{Head: "bound", Kind: tables.Bytes},
		{Head: "proven", Kind: tables.Name},
		{Head: "plan by", Kind: tables.Name},
	}}
	withCapacity := plans[0].Capacity != nil
	if withCapacity {
		t.Columns = append(t.Columns, tables.Column{Head: "capacity", Kind: tables.Name})
	}
	proven := 0
	for _, r := range plans {
		yes := "no"
		if r.ProvenOptimal {
			yes = "yes"
			proven++
		}
		cells := []any{r.Case, r.Records, r.TotalBytes, r.LowerBoundBytes, yes, r.Winner}
		if withCapacity {
			cells = append(cells, r.Capacity.Verdict)
		}
		t.Add(cells...)
	}
	var b strings.Builder
	s.line(&b, "cases", fmt.Sprintf("%s with %s steps, %d of them proven to be the smallest", count(len(plans), "plan"), plans[0].Semantics, proven))
	s.table(&b, "cases", t)
	return b.String()
}

// TilesCSV returns the places of all tensors of all cases: bytes and steps, both steps inclusive.
func TilesCSV(plans []*Plan) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"case", "id", "name", "first_step", "last_step", "size", "offset"}}
	for _, r := range plans {
		for _, p := range r.Placements {
			rows = append(rows, []string{
				r.Case, p.ID, p.Name, strconv.Itoa(p.FirstOp), strconv.Itoa(p.LastOp),
				strconv.FormatInt(p.SizeBytes, 10), strconv.FormatInt(*p.OffsetBytes, 10),
			})
		}
	}
	_ = w.WriteAll(rows) // writes to a buffer cannot fail
	return b.Bytes()
}
