package terminal

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
)

// A Palette paints words. Colour never stands alone: what it marks has a word or a
// sign of its own, so that nothing is lost without it.
type Palette struct{ on bool }

// NewPalette returns a palette that paints, or one that leaves text as it is.
func NewPalette(on bool) Palette { return Palette{on} }

// Strong paints what the eye should find first.
func (p Palette) Strong(s string) string { return p.paint(s, color.Bold) }

// Peak paints what stands at the peak.
func (p Palette) Peak(s string) string { return p.paint(s, color.FgRed, color.Bold) }

// Bad paints a failure.
func (p Palette) Bad(s string) string { return p.paint(s, color.FgRed) }

// Good paints a proof, a gain, or that something passes.
func (p Palette) Good(s string) string { return p.paint(s, color.FgGreen) }

// Warn paints a warning.
func (p Palette) Warn(s string) string { return p.paint(s, color.FgYellow) }

func (p Palette) paint(s string, attributes ...color.Attribute) string {
	if !p.on {
		return s
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(s)
}

// PerCell returns how many places of a map a character can be: two where it has a colour for its
// letters and one for the ground, and else one.
func (p Palette) PerCell() int {
	if p.on {
		return 2
	}
	return 1
}

// Cell paints characters with one of the 256 colours of a terminal, on a ground of another one; -1
// leaves the colour as it is.
func (p Palette) Cell(s string, letters, ground int) string {
	if !p.on || s == "" {
		return s
	}
	var codes []string
	if letters >= 0 {
		codes = append(codes, fmt.Sprint("38;5;", letters))
	}
	if ground >= 0 {
		codes = append(codes, fmt.Sprint("48;5;", ground))
	}
	return "\x1b[" + strings.Join(codes, ";") + "m" + s + "\x1b[0m"
}
