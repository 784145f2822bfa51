package tables

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/exp/slices"
)

const (
	gap = 2 // spaces between columns

	minNameWidth  = 16 // width of a distinguishable name
	readableWidth = 24 // width of a name before columns are dropped
	scaledTwice   = 1 << 20
)

// fit makes the lines fit the width. Numbers repeated in another unit go first. Then columns go by
// their ranks, until the remaining names are readable; columns of rank 1 stay until names become
// indistinguishable. Then names are cut. Numbers stay whole. It returns the number of dropped columns.
func (g *grid) fit(width int) (leftOut int) {
	for i := range g.columns {
		if g.columns[i].elide { // first to an upper bound of all cells: measuring a long name is slow
			g.cut(i, max(width, minNameWidth))
		}
	}
	for {
		rank, name := 0, readableWidth
		for _, c := range g.columns {
			rank = max(rank, c.rank)
		}
		if rank == 1 {
			name = minNameWidth
		}
		if rank == 0 || g.least(name) <= width {
			break
		}
		if rank != scaledTwice {
			leftOut++
		}
		g.drop(rank)
	}
	g.cutNames(width)
	return leftOut
}

// drop drops the columns of a rank: all scaled ones, or the last of the others.
func (g *grid) drop(rank int) {
	for i := len(g.columns) - 1; i >= 0; i-- {
		if g.columns[i].rank != rank {
			continue
		}
		g.columns = slices.Delete(g.columns, i, i+1)
		for r := range g.rows {
			g.rows[r] = slices.Delete(g.rows[r], i, i+1)
		}
		if rank != scaledTwice {
			return
		}
	}
}

// least returns the width of the lines with names cut to a number of characters.
func (g *grid) least(name int) int {
	total := -gap
	for i, c := range g.columns {
		w := g.columnWidth(i)
		if c.elide {
			w = min(w, name)
		}
		total += w + gap
	}
	return total
}

// cutNames cuts the widest names first, but none below minNameWidth.
func (g *grid) cutNames(width int) {
	widths := make([]int, len(g.columns))
	total := -gap
	for i := range g.columns {
		widths[i] = g.columnWidth(i)
		total += widths[i] + gap
	}
	for total > width {
		widest := -1
		for i, w := range widths {
			if g.columns[i].elide && w > minNameWidth && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	for i := range g.columns {
		if g.columns[i].elide {
			g.cut(i, widths[i])
		}
	}
}

// cut cuts the cells of a column.
func (g *grid) cut(column, width int) {
	c := &g.columns[column]
	if c.names == nil {
		for _, row := range g.rows {
			c.names = append(c.names, row[column])
		}
	}
	for i, name := range ElideAll(c.names, width) {
		g.rows[i][column] = name
	}
}

func (g *grid) columnWidth(column int) int {
	width := text.StringWidth(g.columns[column].head)
	for _, row := range g.rows {
		width = max(width, text.StringWidth(row[column]))
	}
	return width
}

// leftOutNote reports the number of dropped columns.
func leftOutNote(n, width int) string {
	if n == 0 {
		return ""
	}
	note := "1 column is left out at this width; --wide or --json has it"
	if n > 1 {
		note = fmt.Sprintf("%d columns are left out at this width; --wide or --json has them", n)
	}
	return Wrap("("+note+")", width, 0, 1) + "\n"
}
