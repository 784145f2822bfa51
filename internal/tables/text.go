package tables

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tflarena/tflarena/internal/units"
)

// A grid is a table as strings, ready to be laid out: a column of bytes has become
// two, the exact count and the scaled one.
type grid struct {
	heads  []string
	align  []text.Align
	elide  []bool
	rows   [][]string
	paints []func(string) string
}

// Text returns the table as lines of text without borders, each ending in a
// newline and none with blanks at its end.
func (t *Table) Text(l Layout) string {
	g := t.grid(l)
	if l.Width > 0 {
		g.fit(l.Width)
	}
	w := g.writer()
	w.SetStyle(bare)
	return trimLines(w.Render())
}

// bare is a style without borders, with two blanks between columns.
var bare = func() table.Style {
	s := table.Style{Name: "bare", Box: table.StyleBoxDefault, Format: table.FormatOptions{}}
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Box.MiddleVertical, s.Box.MiddleSeparator, s.Box.MiddleHorizontal = "", "", "-"
	s.Options = table.Options{SeparateHeader: false}
	return s
}()

func (g *grid) writer() table.Writer {
	w := table.NewWriter()
	var heads table.Row
	var configs []table.ColumnConfig
	for i, head := range g.heads {
		heads = append(heads, head)
		configs = append(configs, table.ColumnConfig{Number: i + 1, Align: g.align[i], AlignHeader: g.align[i]})
	}
	w.AppendHeader(heads)
	w.SetColumnConfigs(configs)
	for i, cells := range g.rows {
		var row table.Row
		for _, cell := range cells {
			if g.paints[i] != nil && cell != "" {
				cell = g.paints[i](cell)
			}
			row = append(row, cell)
		}
		w.AppendRow(row)
	}
	return w
}

// grid turns cells into strings.
func (t *Table) grid(l Layout) *grid {
	g := &grid{rows: make([][]string, len(t.Rows))}
	for _, row := range t.Rows {
		g.paints = append(g.paints, row.Paint)
	}
	for i, c := range t.Columns {
		switch {
		case c.Head == "" && c.Key != "" || t.empty(i):
			continue
		case c.Kind == Bytes && !l.Plain:
			scale := t.scale(i)
			g.add(t, i, c.Head+" (B)", text.AlignRight, exact)
			if scale.Bytes > 1 {
				g.add(t, i, scale.Unit, text.AlignRight, scaled(scale, 2))
			}
		case c.Kind == Scaled && !l.Plain:
			scale := t.scale(i)
			g.add(t, i, c.Head+" ("+scale.Unit+")", text.AlignRight, scaled(scale, 3))
		case c.Kind == Bytes || c.Kind == Scaled:
			g.add(t, i, c.Head+" (B)", text.AlignRight, plain)
		case c.Kind == Number || c.Kind == Right:
			g.add(t, i, c.Head, text.AlignRight, plain)
		default:
			g.add(t, i, c.Head, text.AlignLeft, plain)
		}
		if c.Kind == Name {
			g.elide[len(g.elide)-1] = true
		}
	}
	return g
}

// empty reports whether a column of text says nothing in any row.
func (t *Table) empty(column int) bool {
	if k := t.Columns[column].Kind; k != Text && k != Name {
		return false
	}
	for _, row := range t.Rows {
		if row.Cells[column] != "" {
			return false
		}
	}
	return true
}

func (g *grid) add(t *Table, column int, head string, align text.Align, write func(any) string) {
	g.heads, g.align, g.elide = append(g.heads, head), append(g.align, align), append(g.elide, false)
	for i, row := range t.Rows {
		g.rows[i] = append(g.rows[i], Printable(write(row.Cells[column])))
	}
}

func plain(cell any) string { return fmt.Sprint(cell) }

func exact(cell any) string {
	if n, ok := cell.(int64); ok {
		return units.Exact(n)
	}
	return plain(cell)
}

func scaled(s units.Scale, decimals int) func(any) string {
	return func(cell any) string {
		if n, ok := cell.(int64); ok {
			return s.Format(n, decimals)
		}
		return ""
	}
}

func trimLines(s string) string {
	if s == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
