package terminal

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/fatih/color"
)

// A Palette paints words. Colour is never the only mark: painted text also has a word or a sign, so
// that nothing is lost without it.
type Palette struct{ on bool }

// NewPalette returns a palette that paints, or one that leaves text unchanged.
func NewPalette(on bool) Palette { return Palette{on} }

// Strong paints the most important text.
func (p Palette) Strong(s string) string { return p.paint(s, color.Bold) }

// Peak paints the peak.
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

// spans are the sequences that paint writes around a text.
var spans = regexp.MustCompile("(\x1b\\[[0-9;]+m)([^\x1b]*)(\x1b\\[[0-9;]+m)")

// Between returns s with f applied to everything outside of painted text.
func (p Palette) Between(s string, f func(string) string) string {
	if !p.on {
		return f(s)
	}
	var b strings.Builder
	at := 0
	for _, m := range spans.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(f(s[at:m[0]]) + s[m[2]:m[3]] + f(s[m[4]:m[5]]) + s[m[6]:m[7]])
		at = m[1]
	}
	b.WriteString(f(s[at:]))
	return b.String()
}

// PerCell returns the number of places of a map per character: two if it has a colour for its letters
// and one for the background, and else one.
func (p Palette) PerCell() int {
	if p.on {
		return 2
	}
	return 1
}

// Cell paints characters with one of the 256 colours of a terminal, on a background colour; -1 leaves
// the colour unchanged.
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
