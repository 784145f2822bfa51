package picture

import (
	"strings"
	"testing"

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
	l := Live{Title: "<m>", Total: 1200, LowerBound: 1000, LastStep: 3, Tensors: []LiveTensor{{ID: "0:1", Name: "in", Size: 2, Lives: rows(2)}}}
	rects := parse(t, svg(l.Page()), "rect")
	if len(rects) != 3 { // the page, and two rows
		t.Fatalf("%d rectangles", len(rects))
	}
	if first, second := rects[1].Attrs, rects[2].Attrs; first["x"] >= second["x"] && len(first["x"]) == len(second["x"]) || first["width"] == second["width"] {
		t.Errorf("%v %v", first, second)
	}
	if text := string(svg(l.Page())); !strings.Contains(text, ">step<") || !strings.Contains(text, "lower bound") || strings.Contains(text, "<m>") {
		t.Error(text)
	}
	l.Tensors[0].Lives = rows(1000)
	if n := len(parse(t, svg(l.Page()), "rect")); n > 302 {
		t.Errorf("%d rectangles", n)
	}
	var bytes int64
	for _, life := range fewer(rows(1000)) {
		bytes += life.Hi - life.Lo
	}
	if bytes != 1000 {
		t.Errorf("%d bytes are drawn", bytes)
	}
}
