package picture

import (
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
)

// What characters take of the size of a font, at most, in the fonts that browsers choose for
// sans-serif: DejaVu Sans is the widest of them.
const (
	narrow, usual, upper, wide = 0.42, 0.65, 0.79, 1.0
	other                      = 1.35 // emoji, and scripts that are not measured here
)

// advance returns how wide a character is at most, as a part of the size of the font.
func advance(r rune) float64 {
	switch {
	case strings.ContainsRune(`ijl.,:;|!'()[]/\ I`, r):
		return narrow
	case strings.ContainsRune("mwMW@%", r), r == '…':
		return wide
	case r >= 'A' && r <= 'Z':
		return upper
	case r < 0x7f:
		return usual
	case r < 0x530: // Latin, Greek and Cyrillic
		return wide
	}
	return other
}

// extent returns how wide a text is at most, in pixels, in a font of a size in pixels.
func extent(text string, size float64) (pixels float64) {
	for _, r := range text {
		pixels += advance(r) * size
	}
	return pixels
}

// fitted returns as much of a text as is no wider than some pixels: whole characters, with a mark
// where some are left out. It returns "" where not even one has room.
func fitted(text string, pixels, size float64) string {
	text = tables.Printable(text)
	if extent(text, size) <= pixels {
		return text
	}
	const mark = "…"
	left := pixels - extent(mark, size)
	for i, r := range text {
		if left -= advance(r) * size; left < 0 {
			if i == 0 {
				return ""
			}
			return text[:i] + mark
		}
	}
	return text
}
