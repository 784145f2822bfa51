package results

import (
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
)

// bySize returns the tensors by descending size, equal ones in order.
func bySize(list []Tensor) []Tensor {
	sorted := slices.Clone(list)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].SizeBytes > sorted[j].SizeBytes })
	return sorted
}

// tensorTable lists tensors, limited to the first rows unless top is 0.
func tensorTable(list []Tensor, top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "T#", Key: "id", Kind: tables.Right},
		{Head: "tensor", Key: "name", Kind: tables.Name},
		{Head: "first", Key: "first_op", Kind: tables.Number},
		{Head: "last", Key: "last_op", Kind: tables.Number},
		{Head: "size", Key: "size_bytes", Kind: tables.Bytes},
	}}
	for i, x := range list {
		if top > 0 && i == top && len(list) > top+1 {
			var rest []int64
			for _, y := range list[i:] {
				rest = append(rest, y.SizeBytes)
			}
			t.Rows = append(t.Rows, others(len(t.Columns), rest))
			break
		}
		t.Add(x.ID, x.Name, x.FirstOp, x.LastOp, x.SizeBytes)
	}
	return t
}

// operatorTable lists the positions of the largest breadths in order of time.
func (a *Analysis) operatorTable(s Style) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "position", Kind: tables.Number},
		{Head: "Op#", Kind: tables.Right},
		{Head: "operator", Kind: tables.Name},
		{Head: "tensors", Kind: tables.Number, Rank: 2},
		{Head: "breadth", Kind: tables.Bytes},
		{Kind: tables.Text},
	}}
	breadths := make([]int64, len(a.Operators))
	for i, op := range a.Operators {
		breadths[i] = op.BreadthBytes
	}
	n := s.Top
	if n == 0 || s.AllOperators || len(breadths) == n+1 {
		n = len(breadths)
	}
	top, rest := tables.Top(breadths, n)
	slices.Sort(top)
	for _, i := range top {
		op := a.Operators[i]
		row := t.Add(op.Position, op.number(), op.Name, op.Alive, op.BreadthBytes, "")
		if i == a.Peak.Position {
			row.Cells[5], row.Paint = "<- peak", s.Paint.Peak
		}
	}
	if len(rest) > 0 {
		t.Add("", "", fmt.Sprintf("(%s)", count(len(rest), "other")), "", "", "").Summary = true
	}
	return t
}

// AnalysesCSV returns the planned tensors of analyses as CSV, one row each.
func AnalysesCSV(list []*Analysis) ([]byte, error) {
	t := &tables.Table{Columns: []tables.Column{
		{Key: "input"}, {Key: "id"}, {Key: "name"}, {Key: "first_op"}, {Key: "last_op"}, {Key: "size_bytes"},
	}}
	for _, a := range list {
		for _, x := range a.Tensors {
			t.Add(a.Input, x.ID, x.Name, x.FirstOp, x.LastOp, x.SizeBytes)
		}
	}
	return t.CSV()
}
