package picture

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// load draws how many bytes are alive over time, with the most of them marked.
func (d *modelDrawing) load() {
	sections := lifetime.Sections(d.m.Records)
	peak := lifetime.Peak(d.m.Records)
	most := float64(max(peak.Breadth, d.m.LowerBound, 1)) * 1.1
	bottom := d.foot
	y := func(bytes int64) float64 { return bottom - curveHeight*float64(bytes)/most }
	d.grid(most, 3, bottom, curveHeight)
	var path strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&path, "M%.2f %.2fV%.2fH%.2fV%.2fZ", d.x(s.First), bottom, y(s.Breadth), d.x(s.Last+1), bottom)
	}
	d.Path(path.String(), `class="load"`)
	d.Line(left, bottom-curveHeight, left, bottom, `class="axis"`)
	if len(sections) == 0 {
		return
	}
	if d.m.LowerBound > 0 {
		d.Line(left, y(d.m.LowerBound), d.width-right, y(d.m.LowerBound), `class="bound"`)
	}
	d.peak(peak, y(peak.Breadth), bottom)
}

// peak marks the positions at which most bytes are alive.
func (d *modelDrawing) peak(s lifetime.Section, top, bottom float64) {
	first, last := d.x(s.First), d.x(s.Last+1)
	d.Rect(first, top, max(last-first, 2), bottom-top, `class="peak"`)
	middle := (first + last) / 2
	d.Path(fmt.Sprintf("M%.2f %.2fL%.2f %.2fL%.2f %.2fZ", middle-5, top-9, middle+5, top-9, middle, top-1), `class="peak"`)
	text := "peak " + units.Bytes(s.Breadth) + " at " + fmt.Sprint(s.First)
	if s.First >= 0 && s.First < len(d.m.Steps) {
		text += " " + d.m.Steps[s.First]
	}
	if s.Breadth > d.m.Total {
		text += " (shared bytes count for each tensor)"
	}
	x, anchor, room := middle+9, "start", d.width-right-middle-9
	if width := extent(text, 12); width > room && middle-left > room {
		x, anchor, room = middle-9, "end", middle-9-left
	}
	d.Text(x, top-6, fitted(text, room, 12), fmt.Sprintf(`text-anchor="%s" stroke="#fff" stroke-width="3" paint-order="stroke"`, anchor))
}
