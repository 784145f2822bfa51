package picture

import (
	"strconv"
	"strings"
	"testing"
)

// TestCurves: each point is drawn once, says what it is, and lies lower the fewer bytes it has;
// names cannot break out of the file.
func TestCurves(t *testing.T) {
	c := Curves{
		Title: "a <model>", Across: "work", Up: "arena", Limit: 4096, LimitText: "as it is",
		Lines: []Curve{
			{Name: "one & only", Points: []CurvePoint{{0, 4096, "first"}, {2.5, 2048, "second"}}},
			{Name: "none"},
			{Name: "flat", Points: []CurvePoint{{0, 1024, "third"}}},
		},
	}
	data := c.SVG()
	circles := parse(t, data, "circle")
	if len(circles) != 3 || len(parse(t, data, "polyline")) != 2 {
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
	if (Curves{}).SVG() == nil {
		t.Error("no drawing of nothing")
	}
}
