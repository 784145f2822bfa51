package picture

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// headings writes what the picture is of, and what its colours mean.
func (d *modelDrawing) headings() {
	const bold = 1.12 // how much wider bold letters are
	d.Title(tables.Printable(d.m.Title))
	d.Def()
	fmt.Fprintln(d.Writer, `<pattern id="shared" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="7" fill="#b3261e"/></pattern>`)
	d.DefEnd()
	d.Rect(0, 0, d.width, d.height, `fill="#fff"`)
	room := d.width - 2*20
	d.Text(20, 26, fitted(d.m.Title, room/bold, 16), `class="title"`)
	y := 46.0
	for _, line := range append([]string{d.summary()}, d.m.Below...) {
		d.Text(20, y, fitted(line, room, 12), `class="muted"`)
		y += 16
	}
	d.swatches(20, d.top-20)
}

// summary says how large the plan is, and what is known of that.
func (d *modelDrawing) summary() string {
	total := "total " + units.Bytes(d.m.Total)
	if d.m.Total == d.m.LowerBound {
		return total + ", equal to the lower bound"
	}
	return total + ", lower bound " + units.Bytes(d.m.LowerBound)
}

// swatches draws the legend of the colours that there are.
func (d *modelDrawing) swatches(x, y float64) {
	swatch := func(colour, words string) {
		d.Rect(x, y-10, 12, 12, fmt.Sprintf(`fill="%s" stroke="#c9d1d9"`, colour))
		d.Text(x+17, y, words, `class="muted"`)
		x += 17 + extent(words, 12) + 14
	}
	for _, l := range legend {
		if slices.Contains(d.m.Roles, l.role) {
			swatch(l.colour, l.words)
		}
	}
	if d.m.Shares {
		swatch("url(#shared)", "shared on purpose")
	}
}

// bytesAxis draws a line across the map at each round number of bytes.
func (d *modelDrawing) bytesAxis() {
	d.grid(d.most, 8, d.bottom, mapHeight)
	d.Line(left, d.top, left, d.bottom, `class="axis"`)
}

// grid draws lines at round numbers of bytes, up to most of them at a height above the bottom.
func (d *modelDrawing) grid(most float64, count int, bottom, height float64) {
	scale := units.CommonScale(int64(most))
	inUnits := most / float64(scale.Bytes)
	step := niceStep(inUnits, count)
	if scale.Bytes == 1 {
		step = math.Max(step, 1)
	}
	for i := 0; float64(i)*step <= inUnits; i++ {
		y := bottom - height*float64(i)*step/inUnits
		d.Line(left, y, d.width-right, y, `class="grid"`)
		d.Text(left-8, y+4, humanize.Commaf(round(float64(i)*step))+" "+scale.Unit, `text-anchor="end"`)
	}
}

// levels draws lines across the map: how high the plan reaches, what no plan goes below, and what
// there is room for.
func (d *modelDrawing) levels() {
	line := func(bytes int64, class, words string, below bool) {
		y := d.y(bytes)
		d.Line(left, y, d.width-right, y, `class="`+class+`"`)
		at := y - 4
		if below {
			at = y + 13
		}
		d.Text(d.width-right-4, at, words+" "+units.Bytes(bytes), `text-anchor="end" stroke="#fff" stroke-width="3" paint-order="stroke"`)
	}
	if d.m.LowerBound > 0 && d.m.LowerBound < d.m.Total {
		line(d.m.LowerBound, "bound", "lower bound", true)
		line(d.m.Total, "head", "total", false)
	} else {
		line(d.m.Total, "head", "total, equal to the lower bound:", d.m.Capacity > d.m.Total)
	}
	if d.m.Capacity > 0 {
		y := d.y(d.m.Capacity)
		d.Line(left, y, d.width-right, y, `class="capacity"`)
		d.Text(left+6, y-4, "capacity "+units.Bytes(d.m.Capacity), `stroke="#fff" stroke-width="3" paint-order="stroke"`)
	}
}

// steps writes the operators below the curve, as many as have room beside each other.
func (d *modelDrawing) steps() {
	const leastApart, size, angle, longest = 14.0, 11.0, 40.0, 148.0
	y := d.foot
	d.Line(left, y, d.width-right, y, `class="axis"`)
	every := int(max(niceStep(float64(d.last-d.base)+1, int((d.width-left-right)/leastApart)), 1))
	for p := 0; p <= d.last; p += every {
		if p < d.base {
			continue
		}
		x, text := d.x(p)+d.perPosition/2, fmt.Sprint(p)
		if p < len(d.m.Steps) {
			text += " " + d.m.Steps[p]
		}
		d.Line(x, y, x, y+4, `class="axis"`)
		room := min(longest, x/math.Cos(angle*math.Pi/180)-size)
		d.Gtransform(fmt.Sprintf("translate(%.2f,%.2f) rotate(-%g)", x+3, y+13, angle))
		d.Text(0, 0, fitted(text, room, size), `text-anchor="end" style="font-size:11px"`)
		d.Gend()
	}
}
