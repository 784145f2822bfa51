package picture

import (
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/lifetime"
)

// TestLive: each run of bytes is a rectangle of its time; too many are drawn as fewer that cover them.
func TestLive(t *testing.T) {
	rows := func(n int) (list []lifetime.Life) {
		for k := range n {
			list = append(list, lifetime.Life{Lo: int64(k), Hi: int64(k) + 1, First: 2 * k, Last: 2*n + 1})
		}
		return list
	}
	l := Memory{Title: "<m>", Map: memorymap.Map{
		Total: 1200, LowerBound: 1000, Unit: memorymap.Steps, Records: []lifetime.Record{{ID: "0:1", Name: "in", Size: 2, Last: 3}}, Offsets: []int64{0}, Lives: [][]lifetime.Life{rows(2)},
	}}
	rects := tensors(t, svg(l.Page()))
	if len(rects) != 2 {
		t.Fatalf("%d rectangles", len(rects))
	}
	if first, second := rects[0].Attrs, rects[1].Attrs; first["x"] >= second["x"] && len(first["x"]) == len(second["x"]) || first["width"] == second["width"] {
		t.Errorf("%v %v", first, second)
	}
	if text := string(svg(l.Page())); !strings.Contains(text, ">step<") || !strings.Contains(text, "lower bound") || strings.Contains(text, "<m>") {
		t.Error(text)
	}
	l.Lives[0] = rows(1000)
	if n := len(tensors(t, svg(l.Page()))); n > 300 {
		t.Errorf("%d rectangles", n)
	}
	var bytes int64
	for _, a := range fewer(l.Areas(0, l.Span())) {
		bytes += a.Hi - a.Lo
	}
	if bytes != 1000 {
		t.Errorf("%d bytes are drawn", bytes)
	}
}

// TestLabelsOfStrips: a record in many thin strips has its label if all of them together are high enough.
func TestLabelsOfStrips(t *testing.T) {
	m := Memory{Map: memorymap.Map{Total: 400, Unit: memorymap.Steps, Records: []lifetime.Record{{ID: "0:7", Size: 400, Last: 9}}, Offsets: []int64{0}, Lives: [][]lifetime.Life{{}}}}
	for k := range int64(200) {
		m.Lives[0] = append(m.Lives[0], lifetime.Life{Lo: 2 * k, Hi: 2*k + 2, Last: 19})
	}
	if !slices.ContainsFunc(labels(m.Page()), func(l drawing.Label) bool { return l.Text == "0:7" }) {
		t.Error("no label")
	}
}
