// Package textmap draws a memory map with characters, for a terminal: time from left to right and
// addresses upwards, or as TensorFlow Lite Micro prints its own plans.
package textmap

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/internal/units"
)

// rows is the height of a map in lines, each of two rows of addresses with colours; axis is the width
// of the labels of the y axis.
const rows, axis = 20, 12

// Text returns the map with lines of up to width characters. With colours a character is two places,
// one above the other; without, it is one, whose sign is its role. A record that is smaller than a
// place is shown only in an empty one.
func Text(m memorymap.Map, width int, paint terminal.Palette) string {
	g := newGrid(m, max(width-axis-1, 20), rows*paint.PerCell())
	var b strings.Builder
	scale := units.CommonScale(m.Total)
	for line := range rows {
		label := ""
		if line%5 == 0 {
			label = scale.Format(height(m.Total, rows-line), 1) + " " + scale.Unit
		}
		text := fmt.Sprintf("%*s |", axis-1, label)
		if paint.PerCell() == 1 {
			text += g.signs(rows - 1 - line)
		} else {
			text += g.painted(2*(rows-1-line), paint)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	fmt.Fprintf(&b, "%*s +%s\n", axis-1, "0 B", strings.Repeat("-", g.columns))
	b.WriteString(g.positions())
	b.WriteString(legend(m, paint))
	return b.String()
}

// height returns the address above n rows. Multiples of a large total overflow int64.
func height(total int64, n int) int64 { return total/rows*int64(n) + total%rows*int64(n)/rows }

// legend explains the signs and colours in use.
func legend(m memorymap.Map, paint terminal.Palette) string {
	m.Shares = false // which characters do not show
	var parts []string
	for _, s := range memorymap.Legend(m) {
		sign := s.Signs
		if paint.PerCell() > 1 {
			sign = paint.Cell("█", s.Terminal[0], -1)
		}
		parts = append(parts, sign+" "+s.Words)
	}
	return fmt.Sprintf("%*s  %s\n", axis-1, "", strings.Join(parts, "   "))
}

// place returns the index of the place of a value, if the places divide the whole evenly.
func place(value, whole float64, places int) int {
	return min(max(int(value/whole*float64(places)), 0), places)
}
