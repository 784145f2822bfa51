package picture

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/units"
)

// steps writes the names of positions below the curve, as many as fit side by side.
func (d *mapDrawing) steps() {
	const leastApart, angle, longest = 14.0, 40.0, 148.0
	y := d.foot
	d.Line(left, y, d.Width-right, y, axisLook)
	every := int(max(niceStep(d.Positions(), int((d.Width-left-right)/leastApart)), 1))
	for p := 0; p < len(d.m.Steps); p += every {
		if p < d.First {
			continue
		}
		x := d.x(d.Distance(p) + 0.5)
		d.Line(x, y, x, y+4, axisLook)
		room := min(longest, x/math.Cos(angle*math.Pi/180)-stepFont.Size)
		d.Add(drawing.Label{X: x + 3, Y: y + 13, Text: stepFont.Fit(d.m.StepName(p), room), Font: stepFont, Anchor: drawing.End, Turn: angle})
	}
}

// numbers writes positions without names below the curve.
func (d *mapDrawing) numbers() {
	y := d.foot
	d.Line(left, y, d.Width-right, y, axisLook)
	most, half := d.numbersThatFit()
	step := uint64(math.Max(niceStep(d.Positions(), most), 1))
	// The distance of the first round position, which may be negative.
	at := (step - uint64(d.First)%step) % step
	if d.First < 0 {
		at = uint64(-d.First) % step
	}
	for range most + 1 {
		if float64(at) >= d.Positions() {
			break
		}
		next := at + step
		if x := d.x(float64(at) + 0.5); x-half >= 0 && x+half <= d.Width {
			d.write(x, y+16, d.m.number(int(uint64(d.First)+at)), plainFont, drawing.Middle)
		}
		if next < at {
			break // beyond the last position of all
		}
		at = next
	}
	words := string(d.m.Unit)
	if d.m.Unit == memorymap.Operators {
		words = "operator position"
	}
	d.write((left+d.Width-right)/2, y+38, words, plainFont, drawing.Middle)
}

// number writes a position: traces have millions of events.
func (m Memory) number(position int) string {
	if m.Unit == memorymap.Events {
		return units.Number(int64(position))
	}
	return fmt.Sprint(position)
}

// numbersThatFit returns how many positions fit side by side, and half the width of the widest in pixels.
func (d *mapDrawing) numbersThatFit() (most int, half float64) {
	const enough, character, gap = 20, 7.9, 10
	letters := max(len(d.m.number(d.First)), len(d.m.number(d.Last)))
	half = float64(letters) * character / 2
	return min(enough, int((d.Width-left-right)/(2*half+gap))), half
}
