package picture

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/units"
)

// legendOf returns the legend of models.
func legendOf(models ...Model) (list []key) {
	shares := false
	for _, l := range legend {
		if slices.ContainsFunc(models, func(m Model) bool { return slices.Contains(m.Roles, l.role) }) {
			list = append(list, key{fill: l.colour, words: l.words})
		}
	}
	for _, m := range models {
		shares = shares || m.Shares
	}
	if shares {
		list = append(list, key{fill: drawing.Hatched, words: "shared on purpose"})
	}
	return list
}

// levels draws lines across the map: the total, the lower bound, and the capacity.
func (d *modelDrawing) levels() {
	room := d.Width - left - right - 10
	line := func(bytes int64, look *drawing.Look, words string, below bool) {
		y := d.y(bytes)
		d.Line(left, y, d.Width-right, y, look)
		at := y - 4
		if below {
			at = y + 13
		}
		d.haloed(d.Width-right-4, at, words+" "+units.Bytes(bytes), drawing.End, room)
	}
	switch {
	case d.m.LowerBound == d.m.Total:
		line(d.m.Total, totalLook, "total, equal to the lower bound:", d.m.Capacity > d.m.Total)
	case d.m.LowerBound > 0:
		line(d.m.LowerBound, boundLook, "lower bound", true)
		line(d.m.Total, totalLook, "total", false)
	default:
		line(d.m.Total, totalLook, "total", d.m.Capacity > d.m.Total)
	}
	if d.m.Capacity > 0 {
		y := d.y(d.m.Capacity)
		d.Line(left, y, d.Width-right, y, capacityLook)
		d.haloed(left+6, y-4, "capacity "+units.Bytes(d.m.Capacity), drawing.Start, room)
	}
}

// steps writes the operators below the curve, as many as fit side by side.
func (d *modelDrawing) steps() {
	const leastApart, angle, longest = 14.0, 40.0, 148.0
	y := d.foot
	d.Line(left, y, d.Width-right, y, axisLook)
	every := int(max(niceStep(float64(d.last-d.base)+1, int((d.Width-left-right)/leastApart)), 1))
	for p := 0; p <= d.last; p += every {
		if p < d.base {
			continue
		}
		x, text := d.x(p)+d.perPosition/2, fmt.Sprint(p)
		if p < len(d.m.Steps) {
			text += " " + d.m.Steps[p]
		}
		d.Line(x, y, x, y+4, axisLook)
		room := min(longest, x/math.Cos(angle*math.Pi/180)-stepFont.Size)
		d.Add(drawing.Label{X: x + 3, Y: y + 13, Text: stepFont.Fit(text, room), Font: stepFont, Anchor: drawing.End, Turn: angle})
	}
}
