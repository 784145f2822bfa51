package terminal

import "github.com/fatih/color"

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
