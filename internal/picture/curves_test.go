package picture

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
)

// TestCurves: each point is drawn once, has a tooltip, and lies lower the fewer bytes it has; names
// cannot break out of the file.
func TestCurves(t *testing.T) {
	c := Curves{
		Title: "a <model>", Across: "work", Up: "arena", Limit: 4096, LimitText: "as it is",
		Lines: []Curve{
			{Name: "one & only", Points: []CurvePoint{{0, 4096, "first"}, {2.5, 2048, "second"}}},
			{Name: "none"},
			{Name: "flat", Points: []CurvePoint{{0, 1024, "third"}}},
		},
	}
	data := svg(c.Page())
	circles := parse(t, data, "circle")
	if len(circles) != 3 || strings.Count(string(data), `class="curve`) != 2+3 {
		t.Fatalf("%d circles", len(circles))
	}
	at := func(i int) float64 {
		y, err := strconv.ParseFloat(circles[i].Attrs["cy"], 64)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	if at(0) >= at(1) {
		t.Errorf("4096 B at %s, 2048 B at %s", circles[0].Attrs["cy"], circles[1].Attrs["cy"])
	}
	for _, want := range []string{"a &lt;model&gt;", "one &amp; only", "second", "as it is", "2.5 %"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	if len(svg((Curves{}).Page())) == 0 {
		t.Error("no drawing of nothing")
	}
}

// TestLimitIsReadable: the words of the limit cross no curve where they can be somewhere else.
func TestLimitIsReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Curves{Title: "curves", Across: "latency", Up: "budget", LimitText: "the knee, 12,345,678 B (11.77 MiB)"}
		for i := range rapid.IntRange(1, 3).Draw(t, "lines") {
			line := Curve{Name: fmt.Sprint("line ", i)}
			percent, bytes := 0.0, rapid.Int64Range(1<<20, 1<<24).Draw(t, "bytes")
			for range rapid.IntRange(1, 8).Draw(t, "points") {
				line.Points = append(line.Points, CurvePoint{Percent: percent, Bytes: bytes})
				percent += rapid.Float64Range(0.1, 30).Draw(t, "percent")
				bytes = max(bytes-rapid.Int64Range(1, 1<<22).Draw(t, "less"), 1)
			}
			c.Lines = append(c.Lines, line)
		}
		points := c.Lines[0].Points
		c.Limit = points[rapid.IntRange(0, len(points)-1).Draw(t, "limit")].Bytes
		page := c.Page()
		keep(t, page, "")
		for _, l := range labels(page) {
			if l.Halo == "" {
				continue
			}
			x1, y1, x2, y2 := l.Span(l.Font.Long(l.Text))
			page.Each(func(m drawing.Mark) {
				if p, ok := m.(drawing.Path); ok && strings.HasPrefix(p.Look.Class, "curve") {
					for i, to := range p.Parts[0][1:] {
						from := p.Parts[0][i]
						if min(from.X, to.X) < x2 && max(from.X, to.X) > x1 && min(from.Y, to.Y) < y2 && max(from.Y, to.Y) > y1 {
							t.Fatalf("%q at %.0f, %.0f is crossed by the line from %v to %v", l.Text, l.X, l.Y, from, to)
						}
					}
				}
			})
		}
	})
}
