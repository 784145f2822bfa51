package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
)

// TestBars: a bar is as long as its bytes, with its excess over the bound; no text leaves the page.
func TestBars(t *testing.T) {
	b := Bars{Title: "two <charts>", Charts: []Chart{
		{Title: "first", Bound: 1024, Bars: []Bar{{Name: "best", Bytes: 1024, Best: true}, {Name: "other", Bytes: 2048}, {Name: "none", Problem: "too many records"}}},
		{Title: "second", Bars: []Bar{{Name: "alone", Bytes: 7}}},
		{Title: "third"},
	}}
	page := b.Page()
	keep(t, page, "")
	text := string(svg(page))
	for _, want := range []string{">1.00 KiB, the bound<", ">2.00 KiB, +100.0 %<", ">too many records<", ">7 B<", "two &lt;charts&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	var bars []drawing.Rect
	page.Each(func(m drawing.Mark) {
		if r, ok := m.(drawing.Rect); ok && (r.Look == barLook || r.Look == bestLook) {
			bars = append(bars, r)
		}
	})
	if len(bars) != 3 || bars[0].Look != bestLook || math.Abs(bars[1].W/bars[0].W-2) > 1e-6 {
		t.Errorf("%+v", bars)
	}
}

// No text of any chart leaves the page.
func TestAnyBars(t *testing.T) {
	names := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"greedy-by-size-improved", strings.Repeat("W", 300), "😀名前"}))
	rapid.Check(t, func(t *rapid.T) {
		b := Bars{Title: names.Draw(t, "title"), Below: rapid.SliceOfN(names, 0, 2).Draw(t, "below")}
		for range rapid.IntRange(0, 5).Draw(t, "charts") {
			c := Chart{Title: names.Draw(t, "chart"), Bound: rapid.Int64Range(0, 1<<50).Draw(t, "bound")}
			for range rapid.IntRange(0, 5).Draw(t, "bars") {
				c.Bars = append(c.Bars, Bar{Name: names.Draw(t, "name"), Bytes: rapid.Int64Range(0, 1<<60).Draw(t, "bytes"), Problem: rapid.SampledFrom([]string{"", "no plan"}).Draw(t, "problem")})
			}
			b.Charts = append(b.Charts, c)
		}
		keep(t, b.Page(), fmt.Sprint(b))
	})
}
