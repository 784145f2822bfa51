package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Text returns the analysis for people: the arena first, then how good it could be,
// what is not counted, and where the memory goes.
func (a *Analysis) Text(s Style) string {
	var b strings.Builder
	a.figures(&b, s)
	a.remarks(&b, s)
	if len(a.Tensors) == 0 {
		return b.String()
	}
	s.table(&b, a.peakTitle(s), tensorTable(a.Peak.Alive, s.Top))
	s.table(&b, "operators", a.operatorTable(s))
	s.table(&b, "largest tensors", tensorTable(bySize(a.Tensors), s.Top))
	if a.Pieces != nil {
		b.WriteString("\n")
		s.line(&b, "fit", a.Pieces.text(s))
	}
	return b.String()
}

func (a *Analysis) peakTitle(s Style) string {
	p := a.Peak
	title := fmt.Sprintf("peak: %s alive at position %d, ", s.bytes(p.BreadthBytes), p.Position)
	if p.Position >= 0 && p.Position < len(a.Operators) && a.Operators[p.Position].Operator >= 0 {
		title += "Op# " + a.Operators[p.Position].number() + " "
	}
	operator := tables.Printable(p.Operator)
	if s.Width > 0 {
		const least = 16 // to be told apart
		operator = tables.Elide(operator, max(s.Width-len(title), least))
	}
	return title + operator
}

func (a *Analysis) figures(b *strings.Builder, s Style) {
	arena := s.Paint.Strong(s.bytes(a.HeadBytes))
	if a.ownPlanner {
		s.line(b, a.arenaLabel, fmt.Sprintf("%s with %s's own planner%s", arena, a.runtimeTitle, a.around()))
		s.line(b, "best plan", fmt.Sprintf("%s by %s, %s", s.bytes(a.BestBytes), a.BestStrategy, a.saving(s)))
	} else {
		s.line(b, a.arenaLabel, fmt.Sprintf("%s by %s", arena, a.BestStrategy))
	}
	s.line(b, "optimal", s.optimal(a.ProvenOptimal, a.Proof, a.BestBytes, a.LowerBoundBytes))
	s.line(b, "lower bound", s.bytes(a.LowerBoundBytes))
	if a.Order != nil {
		s.line(b, "order", a.Order.text(s))
	}
	s.line(b, "naive", s.bytes(a.NaiveBytes)+", every tensor in memory of its own")
}

// saving compares the best plan with the runtime's own.
func (a *Analysis) saving(s Style) string {
	saved := a.HeadBytes - a.BestBytes
	percent := units.Percent(saved, a.HeadBytes)
	switch {
	case saved == 0:
		return "the same"
	case saved < 0: // the embedded plan shares memory on purpose
		return s.bytes(-saved) + " more"
	case percent == units.Percent(0, 1):
		return s.bytes(saved) + " less"
	}
	return percent + " less"
}

// around says what the runtime's planner plans around.
func (a *Analysis) around() string {
	if a.EmbeddedPlan == nil {
		return ""
	}
	return fmt.Sprintf(" around the embedded plan, which fixes %d of %s", a.EmbeddedPlan.TensorsFixed, count(a.EmbeddedPlan.TensorsPlanned, "tensor"))
}

// remarks says under which rules the figures hold and what they leave out.
func (a *Analysis) remarks(b *strings.Builder, s Style) {
	var parts []string
	for _, l := range a.LeftOut {
		parts = append(parts, fmt.Sprintf("%s (%s)", count(l.Tensors, "tensor"), l.Reason))
	}
	s.line(b, "counted", fmt.Sprintf("%s at %s, as %s sees the model", count(len(a.Tensors), "tensor"), count(len(a.Operators), "position"), a.runtimeTitle))
	if len(parts) > 0 {
		s.line(b, "not counted", strings.Join(parts, ", "))
	}
	if a.EmbeddedPlan != nil {
		s.line(b, "without plan", s.bytes(a.EmbeddedPlan.OnlineBytes)+" would be the head if the embedded plan were removed")
	}
	for _, note := range a.Notes {
		s.line(b, "note", note.Text)
	}
}

// bySize returns the tensors with the largest first, equal ones in order.
func bySize(list []Tensor) []Tensor {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b Tensor) int {
		switch {
		case a.SizeBytes > b.SizeBytes:
			return -1
		case a.SizeBytes < b.SizeBytes:
			return 1
		}
		return 0
	})
	return sorted
}

// tensorTable lists tensors, cut to the first rows unless top is 0.
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
		{Head: "tensors", Kind: tables.Number},
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

// AnalysesCSV returns the planned tensors of analyses as CSV, a row each.
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

// AnalysesText returns analyses for people: one as it is, several each below the
// name of its input.
func AnalysesText(list []*Analysis, s Style) string {
	return sections(len(list), func(i int) (string, string) { return list[i].Input, list[i].Text(s) }, s)
}

// sections returns n texts: one as it is, several each below its title.
func sections(n int, section func(i int) (title, text string), s Style) string {
	var b strings.Builder
	for i := range n {
		title, text := section(i)
		switch {
		case n == 1:
		case s.Markdown:
			fmt.Fprintf(&b, "# %s\n\n", tables.Printable(title))
		default:
			fmt.Fprintf(&b, "%s\n", s.Paint.Strong("== "+tables.Printable(title)+" =="))
		}
		b.WriteString(text)
		if i+1 < n {
			b.WriteString("\n")
		}
	}
	return b.String()
}
