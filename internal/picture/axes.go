package picture

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/units"
)

// positions draws the x axis.
func (d *mapDrawing) positions() {
	y := d.foot
	d.Line(left, y, d.Width-right, y, axisLook)
	most, half := d.labels()
	step := uint64(math.Max(niceStep(d.span, most), 1))
	// The distance of the first round position, which may be negative.
	at := (step - uint64(d.base)%step) % step
	if d.base < 0 {
		at = uint64(-d.base) % step
	}
	for range most + 1 {
		if float64(at) >= d.span {
			break
		}
		if x := d.x(float64(at) + 0.5); x-half >= 0 && x+half <= d.Width {
			d.write(x, y+16, d.m.number(int(uint64(d.base)+at)), plainFont, drawing.Middle)
		}
		at += step
	}
	d.write((left+d.Width-right)/2, y+38, d.across, plainFont, drawing.Middle)
}

// number writes a position: traces have millions of events.
func (m Map) number(position int) string {
	if m.Trace {
		return units.Number(int64(position))
	}
	return fmt.Sprint(position)
}

// labels returns the number of position labels that fit side by side, and half the width of the widest
// in pixels.
func (d *mapDrawing) labels() (most int, half float64) {
	const enough, character, gap = 20, 7.9, 10
	letters := max(len(d.m.number(d.base)), len(d.m.number(d.last)))
	half = float64(letters) * character / 2
	return min(enough, int((d.Width-left-right)/(2*half+gap))), half
}

// niceStep returns 1, 2 or 5 times a power of ten, so that at most count steps
// reach most.
func niceStep(most float64, count int) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/float64(count))))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power*float64(count) >= most {
			return factor * power
		}
	}
	return 10 * power
}

// round removes the rounding error of multiplying by a step such as 0.1.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }
