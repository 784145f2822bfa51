package drawing

import (
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
)

// Upper bounds of character widths relative to the font size, in browsers' sans-serif fonts: DejaVu
// Sans is the widest. The fonts of PNG and PDF are no wider.
const (
	narrowWidth, usualWidth, upperWidth, wideWidth = 0.42, 0.65, 0.79, 1.07
	otherWidth                                     = 1.35 // emoji, and scripts that are not measured here
	boldFactor                                     = 1.12 // relative width of bold letters
)

// advance returns the largest width of a character relative to the font size.
func advance(r rune) float64 {
	switch {
	case strings.ContainsRune(`ijl.,:;|!'()[]/\ I`, r):
		return narrowWidth
	case strings.ContainsRune("mwMW@%", r), r == '…':
		return wideWidth
	case r >= 'A' && r <= 'Z', r == '&':
		return upperWidth
	case r < 0x7f:
		return usualWidth
	case r < 0x530: // Latin, Greek and Cyrillic
		return wideWidth
	}
	return otherWidth
}

// Long returns the largest length of a text in pixels.
func (f *Font) Long(text string) (pixels float64) {
	for _, r := range text {
		pixels += f.advance(r)
	}
	return pixels
}

func (f *Font) advance(r rune) float64 {
	if f.Bold {
		return advance(r) * f.Size * boldFactor
	}
	return advance(r) * f.Size
}

// Fit returns the longest beginning of a text within a length in pixels: whole characters, with an
// ellipsis if it is cut, and escapes for unprintable characters. It returns "" if not even one
// character fits.
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

// Wrap breaks a text between words into lines of at most a length in pixels. A word longer than a line
// is cut as by [Font.Fit].
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
