package textmap

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/lifetime"
)

// A grid has the number of the record at each place, counted from 1; 0 for none.
type grid struct {
	m             memorymap.Map
	span          memorymap.Span
	columns, rows int
	cells         []int
}

func newGrid(m memorymap.Map, columns, rows int) *grid {
	g := &grid{m: m, span: m.Span(), columns: columns, rows: rows, cells: make([]int, columns*rows)}
	for i := range m.Records {
		for _, a := range m.Areas(i, g.span) {
			g.fill(i, a)
		}
	}
	return g
}

// fill marks an area of a record.
func (g *grid) fill(i int, a memorymap.Area) {
	if a.Hi <= a.Lo {
		return
	}
	x1, x2 := place(a.From, g.span.Positions(), g.columns), place(a.To, g.span.Positions(), g.columns)
	total := float64(max(g.m.Total, 1))
	y1, y2 := place(float64(a.Lo), total, g.rows), place(float64(a.Hi), total, g.rows)
	small := x1 == x2 || y1 == y2
	x1, y1 = min(x1, g.columns-1), min(y1, g.rows-1)
	for y := y1; y < max(y2, y1+1); y++ {
		for x := x1; x < max(x2, x1+1); x++ {
			if cell := &g.cells[y*g.columns+x]; !small || *cell == 0 {
				*cell = i + 1
			}
		}
	}
}

// signs returns a row, counted from below, as characters.
func (g *grid) signs(row int) string {
	var b strings.Builder
	for _, n := range g.cells[row*g.columns : (row+1)*g.columns] {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		signs := memorymap.StyleOf(g.m.Role(n - 1)).Signs
		b.WriteByte(signs[(n-1)%len(signs)])
	}
	return b.String()
}

// painted returns a row and the one above it as characters of two colours.
func (g *grid) painted(row int, paint terminal.Palette) string {
	var b strings.Builder
	for x := 0; x < g.columns; {
		above, below := g.colour(x, row+1), g.colour(x, row)
		n := 1
		for x+n < g.columns && g.colour(x+n, row+1) == above && g.colour(x+n, row) == below {
			n++
		}
		switch {
		case above < 0 && below < 0:
			b.WriteString(strings.Repeat(" ", n))
		case above < 0:
			b.WriteString(paint.Cell(strings.Repeat("▄", n), below, -1))
		default:
			b.WriteString(paint.Cell(strings.Repeat("▀", n), above, below))
		}
		x += n
	}
	return b.String()
}

// colour returns the colour of a place, -1 for an empty one.
func (g *grid) colour(x, y int) int {
	n := g.cells[y*g.columns+x]
	if n == 0 {
		return -1
	}
	colours := memorymap.StyleOf(g.m.Role(n - 1)).Terminal
	return colours[(n-1)%len(colours)]
}

// positions returns the marks below the x axis: the peak, and the first and the last position.
func (g *grid) positions() string {
	text := ""
	if peak := lifetime.Peak(g.m.Records); peak.Alive > 0 {
		mark := fmt.Sprintf("^ peak at %d", peak.First)
		column := int((g.span.Distance(peak.First) + 0.5) / g.span.Positions() * float64(g.columns))
		if room := g.columns - column - len(mark); room < 0 && column >= len(mark) {
			mark = fmt.Sprintf("peak at %d ^", peak.First)
			column -= len(mark) - 1
		}
		text = strings.Repeat(" ", axis+1+column) + mark + "\n"
	}
	first, last := fmt.Sprint(g.span.First), fmt.Sprint(g.span.Last)
	return text + fmt.Sprintf("%*s%s%*s\n", axis+1, "", first, max(g.columns-len(first), len(last)+1), last)
}
