// Package textmap draws a memory plan with characters, for a terminal: time from left to right and
// addresses upwards, or as TensorFlow Lite Micro prints its own plans.
package textmap

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Map is a plan to draw.
type Map struct {
	// Records, Offsets, in bytes, and Roles are parallel. Roles are as in pictures: "input", "output",
	// "activation", "scratch", "variable" and "constant".
	Records []lifetime.Record
	Offsets []int64
	Roles   []string
	// Total is in bytes.
	Total int64
}

// A kind is the style of a role: signs, and some of the 256 colours of terminals, which alternate so
// that neighbours differ.
type kind struct {
	role, words, signs string
	colours            []int
}

var kinds = []kind{
	{role: "input", words: "model input", signs: "I", colours: []int{79}},
	{role: "output", words: "model output", signs: "O", colours: []int{35}},
	{role: "activation", words: "activation", signs: "#=+", colours: []int{110, 153, 68}},
	{role: "scratch", words: "scratch of kernels", signs: "s", colours: []int{215}},
	{role: "variable", words: "variable", signs: "v", colours: []int{140}},
	{role: "constant", words: "constant", signs: "c", colours: []int{250}},
}

func kindOf(role string) kind {
	for _, k := range kinds {
		if k.role == role {
			return k
		}
	}
	return kinds[2]
}

// rows is the height of a map in lines, each of two rows of addresses with colours; axis is the width
// of the labels of the y axis.
const rows, axis = 20, 12

// Text returns the map with lines of up to width characters. With colours a character is two places,
// one above the other; without, it is one, whose sign is its role. A record that is smaller than a
// place is shown only in an empty one.
func (m Map) Text(width int, paint terminal.Palette) string {
	g := m.grid(max(width-axis-1, 20), rows*paint.PerCell())
	var b strings.Builder
	scale := units.CommonScale(m.Total)
	for line := range rows {
		label := ""
		if line%5 == 0 {
			label = scale.Format(m.height(rows-line), 1) + " " + scale.Unit
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
	b.WriteString(m.legend(paint))
	return b.String()
}

// height returns the address above n rows. Multiples of a large total overflow int64.
func (m Map) height(n int) int64 { return m.Total/rows*int64(n) + m.Total%rows*int64(n)/rows }

// legend explains the signs and colours in use.
func (m Map) legend(paint terminal.Palette) string {
	var parts []string
	for _, k := range kinds {
		for _, role := range m.Roles {
			if role != k.role {
				continue
			}
			sign := k.signs
			if paint.PerCell() > 1 {
				sign = paint.Cell("█", k.colours[0], -1)
			}
			parts = append(parts, sign+" "+k.words)
			break
		}
	}
	return fmt.Sprintf("%*s  %s\n", axis-1, "", strings.Join(parts, "   "))
}

// place returns the index of the place of a value, if the places divide the whole evenly.
func place(value, whole float64, places int) int {
	return min(max(int(value/whole*float64(places)), 0), places)
}
