package drawing

import (
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
)

// What characters take of the size of a font, at most, in the fonts that browsers choose for
// sans-serif: DejaVu Sans is the widest of them. Those of PNG and PDF take no more.
const (
	narrow, usual, upper, wide = 0.42, 0.65, 0.79, 1.07
	other                      = 1.35 // emoji, and scripts that are not measured here
	bolder                     = 1.12 // how much wider bold letters are
)

// advance returns how wide a character is at most, as a part of the size of the font.
func advance(r rune) float64 {
	switch {
	case strings.ContainsRune(`ijl.,:;|!'()[]/\ I`, r):
		return narrow
	case strings.ContainsRune("mwMW@%", r), r == '…':
		return wide
	case r >= 'A' && r <= 'Z', r == '&':
		return upper
	case r < 0x7f:
		return usual
	case r < 0x530: // Latin, Greek and Cyrillic
		return wide
	}
	return other
}

// Long returns how long a text is at most, in pixels.
func (f *Font) Long(text string) (pixels float64) {
	for _, r := range text {
		pixels += f.advance(r)
	}
	return pixels
}

func (f *Font) advance(r rune) float64 {
	if f.Bold {
		return advance(r) * f.Size * bolder
	}
	return advance(r) * f.Size
}

// Fit returns as much of a text as is no longer than some pixels: whole characters, with a mark
// where some are left out, and in the place of what cannot be printed an escape. It returns "" where
// not even one character has room.
func (f *Font) Fit(text string, pixels float64) string {
	text = tables.Printable(text)
	if f.Long(text) <= pixels {
		return text
	}
	const mark = "…"
	left := pixels - f.Long(mark)
	for i, r := range text {
		if left -= f.advance(r); left < 0 {
			if i == 0 {
				return ""
			}
			return text[:i] + mark
		}
	}
	return text
}

// Wrap returns a text in lines that are no longer than some pixels, broken between words. What a line
// has no room for, since it is one long word, is left out as by [Font.Fit].
func (f *Font) Wrap(text string, pixels float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if longer := line + " " + word; line != "" && f.Long(tables.Printable(longer)) <= pixels {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, f.Fit(line, pixels))
		}
		line = word
	}
	if line == "" {
		return lines
	}
	return append(lines, f.Fit(line, pixels))
}
