package results

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Text returns the plan for people: the total first, then its quality, then the placements.
func (r *Plan) Text(s Style) string {
	var b strings.Builder
	if r.Tiling == nil && r.Semantics != "" {
		s.line(&b, "case", tables.Printable(r.title()))
	}
	s.line(&b, r.label(), s.Paint.Strong(s.bytes(r.TotalBytes))+" by "+r.by())
	s.line(&b, "lower bound", s.bytes(r.LowerBoundBytes))
	s.line(&b, "optimal", s.optimal(r.ProvenOptimal, r.Proof, r.TotalBytes, r.LowerBoundBytes))
	if r.Tiling != nil {
		r.Tiling.text(&b, s, r)
	} else {
		s.line(&b, "naive", s.bytes(r.NaiveBytes)+", without reuse")
	}
	if r.Capacity != nil {
		s.line(&b, "capacity", r.fit(s))
		r.why(&b, s)
	}
	if r.Cache != nil {
		r.Cache.text(&b, s)
	}
	for _, note := range r.Notes {
		s.line(&b, "note", note.Text)
	}
	if r.Waves != nil {
		r.Waves.text(&b, s, r.TotalBytes)
	}
	b.WriteString(s.Next(r.Next))
	if r.Tiling != nil {
		b.WriteString(s.Next(r.Tiling.Next))
		s.table(&b, "operators (steps inclusive; off chip and on chip: the most bytes in use)", r.Tiling.table(s.Top))
	}
	if len(r.Placements) > 0 {
		s.table(&b, r.heading(), r.placements(s.Top))
	}
	if len(r.PositionalMaxima) > 0 {
		s.table(&b, "objects by size, and the positional maxima: no plan's i-th object is smaller than the i-th maximum", r.maxima(s.Top))
	}
	return b.String()
}

// label returns the name of the memory: a plan does not include the runtime's other memory.
func (r *Plan) label() string {
	if r.Tiling != nil {
		return "off chip"
	}
	if rule, err := rules.Lookup(r.Runtime); err == nil && r.ObjectSizes == nil {
		return rule.Figure
	}
	return "total"
}

func (r *Plan) by() string {
	by := r.Winner
	if r.Winner != r.Strategy {
		by += " (the best that " + r.Strategy + " found)"
	}
	if r.ObjectSizes != nil {
		by += " in " + count(len(r.ObjectSizes), "shared object")
	}
	return by
}

func (r *Plan) fit(s Style) string {
	c := r.Capacity
	switch c.Verdict {
	case Feasible:
		return fmt.Sprintf("%s: %s, %s to spare", s.bytes(c.Bytes), s.Paint.Good("fits"), s.bytes(c.Bytes-r.TotalBytes))
	case Infeasible:
		least, why := r.LowerBoundBytes, "the lower bound"
		if r.ProvenOptimal {
			least, why = r.TotalBytes, "the optimum"
		}
		return fmt.Sprintf("%s: %s, %s is %s above it", s.bytes(c.Bytes), s.Paint.Bad("cannot fit"), why, s.bytes(least-c.Bytes))
	}
	return fmt.Sprintf("%s: %s, this plan is %s above it, but the lower bound does not rule out a better one",
		s.bytes(c.Bytes), s.Paint.Warn("not met so far"), s.bytes(r.TotalBytes-c.Bytes))
}

// why writes the reason why a capacity cannot be met.
func (r *Plan) why(b *strings.Builder, s Style) {
	c := r.Capacity
	if c.Verdict != Infeasible {
		return
	}
	if c.Proof != "" {
		s.line(b, "because", c.Proof)
	}
	if len(c.Core) > 0 {
		const shown = 12
		list := slices.Clone(c.Core[:min(len(c.Core), shown)])
		if more := len(c.Core) - shown; more > 0 {
			list = append(list, count(more, "other"))
		}
		names := spelling.List(list, "and")
		text := names + " alone exceeds the capacity"
		if n := len(c.Core); n > 1 {
			text = fmt.Sprintf("%s exceed the capacity without the other tensors (%s)", names, count(n, "tensor"))
		}
		s.line(b, "conflict", text)
	}
}

func (r *Plan) heading() string {
	switch {
	case r.Semantics != "":
		return "placements (steps inclusive, addresses half-open)"
	case r.ObjectSizes != nil:
		return "placements (operator positions inclusive)"
	}
	return "placements (operator positions inclusive, addresses half-open)"
}

// placements returns the table of placements, limited to the first rows unless top is 0.
func (r *Plan) placements(top int) *tables.Table {
	shared := r.ObjectSizes != nil
	t := &tables.Table{Columns: []tables.Column{
		{Head: "T#", Kind: tables.Right},
		{Head: "tensor", Kind: tables.Name},
		{Head: "first", Kind: tables.Number},
		{Head: "last", Kind: tables.Number},
		{Head: "size", Kind: tables.Bytes, Rank: 2},
		{Head: "address", Kind: tables.Right},
	}}
	if shared && r.ObjectShapes != nil {
		t.Columns[5] = tables.Column{Head: "texture", Kind: tables.Number}
		t.Columns = append(t.Columns, tables.Column{Head: "shape", Kind: tables.Right})
	} else if shared { // whose size is not visible in addresses
		t.Columns[4].Rank = 0
		t.Columns = append(t.Columns[:5], tables.Column{Head: "object", Kind: tables.Number})
	}
	digits := len(fmt.Sprintf("%x", r.TotalBytes))
	for i, p := range r.Placements {
		if top > 0 && i == top {
			t.Rows = append(t.Rows, others(len(t.Columns), sizesOf(r.Placements[i:])))
			break
		}
		cells := []any{p.ID, p.Name, p.FirstOp, p.LastOp, p.SizeBytes}
		if shared {
			cells = append(cells, *p.Object)
			if r.ObjectShapes != nil {
				cells = append(cells, strings.Trim(strings.ReplaceAll(fmt.Sprint(r.ObjectShapes[*p.Object]), " ", "x"), "[]"))
			}
		} else {
			start := *p.OffsetBytes
			cells = append(cells, fmt.Sprintf("0x%0*x..0x%0*x", digits, start, digits, start+p.SizeBytes))
		}
		t.Add(cells...)
	}
	return t
}

// maxima returns the table of objects by descending size beside the positional maxima, limited to the first rows unless top is 0.
func (r *Plan) maxima(top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "i", Kind: tables.Number},
		{Head: "object", Kind: tables.Number},
		{Head: "size", Kind: tables.Bytes},
		{Head: "maximum", Kind: tables.Bytes},
	}}
	order := make([]int, len(r.ObjectSizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.ObjectSizes[j], r.ObjectSizes[i]) })
	for i, object := range order {
		if top > 0 && i == top {
			break
		}
		var most int64
		if i < len(r.PositionalMaxima) {
			most = r.PositionalMaxima[i]
		}
		t.Add(i+1, object, r.ObjectSizes[object], most)
	}
	return t
}

func sizesOf(placements []Placement) []int64 {
	var sizes []int64
	for _, p := range placements {
		sizes = append(sizes, p.SizeBytes)
	}
	return sizes
}

// others returns the row that summarises omitted rows of a table of tensors, whose fifth column is the
// size.
func others(columns int, sizes []int64) tables.Row {
	cells := make([]any, columns)
	for i := range cells {
		cells[i] = ""
	}
	var sum int64
	for _, n := range sizes {
		sum += n
	}
	cells[1], cells[4] = fmt.Sprintf("(%s)", count(len(sizes), "other")), sum
	return tables.Row{Cells: cells, Summary: true}
}
