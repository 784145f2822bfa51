package tables

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tflarena/tflarena/internal/units"
)

// A grid is a table of strings: a column of bytes has become two, the exact count and the scaled one.
type grid struct {
	columns []gridColumn
	rows    [][]string
	paints  []func(string) string
}

// A gridColumn is a column of strings.
type gridColumn struct {
	head  string
	align text.Align
	// elide permits cutting cells, and rank is the order of dropping the column.
	elide bool
	rank  int
	// names are the cells before they were cut, or nil.
	names []string
}

// Text returns the table as lines of text without borders, each ending in a newline and without
// trailing spaces. A line reports dropped columns.
func (t *Table) Text(l Layout) string {
	g := t.grid(l)
	leftOut := 0
	if l.Width > 0 {
		leftOut = g.fit(l.Width)
	}
	w := g.writer()
	w.SetStyle(bare)
	return trimLines(w.Render()) + leftOutNote(leftOut, l.Width)
}

// bare is a style without borders, with two spaces between columns.
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
	for i, c := range g.columns {
		heads = append(heads, c.head)
		configs = append(configs, table.ColumnConfig{Number: i + 1, Align: c.align, AlignHeader: c.align})
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

// grid converts cells to strings.
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
			g.add(t, i, gridColumn{head: c.Head + " (B)", align: text.AlignRight, rank: c.Rank}, exact)
			if scale.Bytes > 1 {
				g.add(t, i, gridColumn{head: scale.Unit, align: text.AlignRight, rank: scaledTwice}, scaled(scale, 2))
			}
		case c.Kind == Scaled && !l.Plain:
			scale := t.scale(i)
			g.add(t, i, gridColumn{head: c.Head + " (" + scale.Unit + ")", align: text.AlignRight, rank: c.Rank}, scaled(scale, 3))
		case c.Kind == Bytes || c.Kind == Scaled:
			g.add(t, i, gridColumn{head: c.Head + " (B)", align: text.AlignRight, rank: c.Rank}, plain)
		case c.Kind == Number || c.Kind == Right:
			g.add(t, i, gridColumn{head: c.Head, align: text.AlignRight, rank: c.Rank}, plain)
		default:
			g.add(t, i, gridColumn{head: c.Head, align: text.AlignLeft, rank: c.Rank, elide: c.Kind == Name}, plain)
		}
	}
	return g
}

// empty reports whether a column of text is empty in every row.
func (t *Table) empty(column int) bool {
	if k := t.Columns[column].Kind; k != Text && k != Name && k != Right {
		return false
	}
	for _, row := range t.Rows {
		if row.Cells[column] != "" {
			return false
		}
	}
	return true
}

func (g *grid) add(t *Table, column int, c gridColumn, write func(any) string) {
	g.columns = append(g.columns, c)
	for i, row := range t.Rows {
		g.rows[i] = append(g.rows[i], Printable(write(row.Cells[column])))
	}
}

func plain(cell any) string { return fmt.Sprint(cell) }

func exact(cell any) string {
	if n, ok := cell.(int64); ok {
		return units.Number(n)
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
