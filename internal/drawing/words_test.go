package drawing

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// A fitted or wrapped text has whole characters and fits; a wrapped text is complete if each word fits.
func TestFit(t *testing.T) {
	fonts := []*Font{{Size: 12}, {Size: 16, Bold: true}}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(fonts).Draw(t, "font")
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z]{1,9} ){0,30}`)).Draw(t, "text")
		pixels := rapid.Float64Range(0, 500).Draw(t, "pixels")
		lines := f.Wrap(text, pixels)
		for _, line := range append(lines, f.Fit(text, pixels)) {
			if f.Long(line) > pixels || !utf8.ValidString(line) {
				t.Fatalf("%q takes %.1f of %.1f", line, f.Long(line), pixels)
			}
		}
		if all := strings.Join(lines, " "); pixels > 250 && !strings.Contains(all, "…") && len(strings.Fields(all)) < len(strings.Fields(text)) {
			t.Fatalf("%q became %q", text, lines)
		}
	})
}

// Span turns a label around its place.
func TestSpan(t *testing.T) {
	f := &Font{Size: 10}
	for _, c := range []struct {
		l              Label
		x1, y1, x2, y2 float64
	}{
		{Label{X: 100, Y: 50, Font: f}, 100, 42, 130, 52.5},
		{Label{X: 100, Y: 50, Font: f, Anchor: Middle}, 85, 42, 115, 52.5},
		{Label{X: 100, Y: 50, Font: f, Anchor: End}, 70, 42, 100, 52.5},
		{Label{X: 100, Y: 50, Font: f, Turn: 90}, 92, 20, 102.5, 50},
	} {
		x1, y1, x2, y2 := c.l.Span(30)
		for _, d := range []float64{x1 - c.x1, y1 - c.y1, x2 - c.x2, y2 - c.y2} {
			if d > 1e-6 || d < -1e-6 {
				t.Errorf("%+v: %g, %g to %g, %g", c.l, x1, y1, x2, y2)
				break
			}
		}
	}
}
