package picture

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/drawing"
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
	d.byteGrid(most, 3, bottom, curveHeight)
	area := drawing.Path{Look: loadLook}
	for i, s := range sections {
		x1, x2, high := d.x(s.First), d.x(s.Last+1), y(s.Breadth)
		if i == 0 || sections[i-1].Last+1 < s.First {
			area.Parts = append(area.Parts, []drawing.Point{{X: x1, Y: bottom}})
		}
		// One area as long as there is no gap: between two of them one would see a line.
		part := &area.Parts[len(area.Parts)-1]
		*part = append(*part, drawing.Point{X: x1, Y: high}, drawing.Point{X: x2, Y: high})
		if i == len(sections)-1 || s.Last+1 < sections[i+1].First {
			*part = append(*part, drawing.Point{X: x2, Y: bottom})
		}
	}
	if len(sections) == 0 {
		return
	}
	d.Add(area)
	if d.m.LowerBound > 0 {
		d.Line(left, y(d.m.LowerBound), d.Width-right, y(d.m.LowerBound), boundLook)
	}
	d.peak(peak, y(peak.Breadth), bottom)
}

// peak marks the positions at which most bytes are alive.
func (d *modelDrawing) peak(s lifetime.Section, top, bottom float64) {
	first, last := d.x(s.First), d.x(s.Last+1)
	d.Add(drawing.Rect{X: first, Y: top, W: max(last-first, 2), H: bottom - top, Look: peakLook})
	middle := (first + last) / 2
	d.Add(drawing.Path{Look: peakLook, Parts: [][]drawing.Point{{{X: middle - 5, Y: top - 9}, {X: middle + 5, Y: top - 9}, {X: middle, Y: top - 1}}}})
	text := "peak " + units.Bytes(s.Breadth) + " at " + fmt.Sprint(s.First)
	if s.First >= 0 && s.First < len(d.m.Steps) {
		text += " " + d.m.Steps[s.First]
	}
	if s.Breadth > d.m.Total {
		text += " (shared bytes count for each tensor)"
	}
	x, anchor, room := middle+9, drawing.Start, d.Width-right-middle-9
	if width := plainFont.Long(text); width > room && middle-left > room {
		x, anchor, room = middle-9, drawing.End, middle-9-left
	}
	d.haloed(x, top-6, text, anchor, room)
}
