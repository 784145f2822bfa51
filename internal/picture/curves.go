package picture

import (
	"bytes"
	"fmt"
	"math"

	svg "github.com/ajstarks/svgo/float"

	"github.com/dustin/go-humanize"

	"github.com/tflarena/tflarena/internal/tables"
)

// Curves show what memory costs in work: a line for each way to get it.
type Curves struct {
	Title string
	// Across and Up say what the axes are; that across is in percent, that up in bytes.
	Across, Up string
	Lines      []Curve
	// Limit is a line across in bytes, with its own words, 0 for none.
	Limit     int64
	LimitText string
}

// A Curve is one line, with its points from left to right.
type Curve struct {
	Name   string
	Points []CurvePoint
}

// A CurvePoint has a place and what a reader sees who points at it.
type CurvePoint struct {
	Percent float64
	Bytes   int64
	Text    string
}

// curveColours are told apart in print as well, where their dashes tell them apart.
var curveColours = []string{"#1b6ca8", "#2e8b57", "#c77700", "#b3261e", "#6a3d9a"}

var curveDashes = []string{"", "8 3", "3 3", "10 3 2 3", "1 3"}

const curveStyle = style + `
.limit { stroke: #888; stroke-width: 1.5; stroke-dasharray: 6 4 }
.curve { fill: none; stroke-width: 2 }
.point { stroke: #fff; stroke-width: 1 }
.point:hover { stroke: #000; stroke-width: 2 }`

// SVG returns the drawing: the same bytes for the same curves.
func (c Curves) SVG() []byte {
	var b bytes.Buffer
	d := curveDrawing{SVG: begin(&b, curveStyle, c.Title, c.Up), c: c}
	d.scale()
	byteAxis(d.SVG, d.bytes, d.y)
	d.limit()
	d.across()
	for i := range c.Lines {
		d.curve(i)
	}
	d.End()
	return b.Bytes()
}

// A curveDrawing is curves on their way to the page.
type curveDrawing struct {
	*svg.SVG
	c Curves
	// percent and bytes are the ends of the axes.
	percent, bytes float64
}

func (d *curveDrawing) scale() {
	d.percent, d.bytes = 1, float64(max(d.c.Limit, 1))
	for _, line := range d.c.Lines {
		for _, p := range line.Points {
			d.percent, d.bytes = math.Max(d.percent, p.Percent), math.Max(d.bytes, float64(p.Bytes))
		}
	}
	d.percent *= 1.03 // room for the last point
	d.bytes *= 1.05
}

func (d *curveDrawing) x(percent float64) float64 {
	return left + percent/d.percent*(width-left-right)
}

func (d *curveDrawing) y(bytes float64) float64 {
	return height - bottom - bytes/d.bytes*(height-top-bottom)
}

// limit draws the limit, if there is one.
func (d *curveDrawing) limit() {
	if d.c.Limit <= 0 {
		return
	}
	y := d.y(float64(d.c.Limit))
	d.Line(left, y, width-right, y, `class="limit"`)
	d.Text(width-right-4, y-5, tables.Printable(d.c.LimitText), `text-anchor="end"`)
}

// across draws the axis of percents.
func (d *curveDrawing) across() {
	y := height - bottom
	d.Line(left, y, width-right, y, `class="axis"`)
	step := niceStep(d.percent, 12)
	for i := 0; float64(i)*step <= d.percent; i++ {
		x := d.x(float64(i) * step)
		d.Line(x, y, x, y+4, `class="axis"`)
		d.Text(x, y+18, humanize.Commaf(round(float64(i)*step))+" %", `text-anchor="middle"`)
	}
	d.Text((left+width-right)/2, y+40, d.c.Across, `text-anchor="middle"`)
}

// curve draws one line in steps, since between two points there is what the one on the left is,
// and its name in the legend.
func (d *curveDrawing) curve(i int) {
	line := d.c.Lines[i]
	colour, dash := curveColours[i%len(curveColours)], curveDashes[i%len(curveDashes)]
	stroke := fmt.Sprintf(`stroke="%s" stroke-dasharray="%s"`, colour, dash)
	var xs, ys []float64
	for k, p := range line.Points {
		x, y := d.x(p.Percent), d.y(float64(p.Bytes))
		if k > 0 {
			xs, ys = append(xs, x), append(ys, ys[len(ys)-1])
		}
		xs, ys = append(xs, x), append(ys, y)
	}
	if len(xs) > 0 {
		xs, ys = append(xs, width-right), append(ys, ys[len(ys)-1])
		d.Polyline(xs, ys, `class="curve"`, stroke)
	}
	for _, p := range line.Points {
		d.Group()
		d.Title(tables.Printable(p.Text))
		d.Circle(d.x(p.Percent), d.y(float64(p.Bytes)), 5, `class="point"`, fmt.Sprintf(`fill="%s"`, colour))
		d.Gend()
	}
	x, y := left+20.0, height-bottom-18*float64(len(d.c.Lines)-i)
	d.Line(x, y-4, x+40, y-4, `class="curve"`, stroke)
	d.Text(x+48, y, tables.Printable(line.Name))
}
