package picture

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/tables"
)

// Curves show the trade-off between memory and work: a line for each method.
type Curves struct {
	Title string
	// Across and Up are the titles of the axes; the x axis is in percent, the y axis in bytes.
	Across, Up string
	Lines      []Curve
	// Limit is a horizontal line in bytes, with its own label, 0 for none.
	Limit     int64
	LimitText string
}

// A Curve is one line, with its points from left to right.
type Curve struct {
	Name   string
	Points []CurvePoint
}

// A CurvePoint has a place and a tooltip.
type CurvePoint struct {
	Percent float64
	Bytes   int64
	Text    string
}

// curveColours differ in print as well, by their dashes.
var curveColours = []string{"#1b6ca8", "#2e8b57", "#c77700", "#b3261e", "#6a3d9a"}

var curveDashes = [][]float64{nil, {8, 3}, {3, 3}, {10, 3, 2, 3}, {1, 3}}

// The looks of lines and of their points.
var curveLooks, pointLooks = func() (lines, points []*drawing.Look) {
	for i, colour := range curveColours {
		lines = append(lines, &drawing.Look{Class: fmt.Sprint("curve c", i), Stroke: colour, Width: 2, Dash: curveDashes[i]})
		points = append(points, &drawing.Look{Class: fmt.Sprint("point p", i), Fill: colour, Stroke: "#ffffff", Width: 1, Hover: true})
	}
	return lines, points
}()

// Page returns the drawing.
func (c Curves) Page() *drawing.Page {
	d := curveDrawing{paper: newPaper(c.Title, width, height), c: c}
	d.legend(d.below(c.Up) + 4)
	d.scale()
	d.byteGrid(d.bytes, 8, height-bottom, height-curveTop-bottom)
	d.scaleBelow(height-bottom, d.percent, " %", c.Across, d.x)
	for i := range c.Lines {
		d.curve(i)
	}
	d.limit()
	return d.paper.Page
}

// curveTop is where the curves begin, below the legend.
const curveTop = 96.0

// A curveDrawing is the state of drawing curves.
type curveDrawing struct {
	paper
	c Curves
	// percent and bytes are the ends of the axes.
	percent, bytes float64
	// bars are the areas covered by the curves, with a margin.
	bars []rectangle
}

// legend names the lines.
func (d *curveDrawing) legend(y float64) {
	var list []key
	for i, line := range d.c.Lines {
		list = append(list, key{words: line.Name, stroke: curveLooks[i%len(curveLooks)]})
	}
	d.keys(margin, y, list)
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
	return height - bottom - bytes/d.bytes*(height-curveTop-bottom)
}

// curve draws one line in steps, since a point holds up to the next one on the right.
func (d *curveDrawing) curve(i int) {
	var line []drawing.Point
	to := func(x, y float64) {
		if n := len(line); n > 0 {
			d.cover(line[n-1].X, line[n-1].Y, x, y)
		}
		line = append(line, drawing.Point{X: x, Y: y})
	}
	var points []drawing.Mark
	for k, p := range d.c.Lines[i].Points {
		x, y := d.x(p.Percent), d.y(float64(p.Bytes))
		if k > 0 {
			to(x, line[len(line)-1].Y)
		}
		to(x, y)
		d.cover(x, y, x, y)
		points = append(points, &drawing.Group{Tip: tables.Printable(p.Text), Marks: []drawing.Mark{drawing.Circle{X: x, Y: y, R: 5, Look: pointLooks[i%len(pointLooks)]}}})
	}
	if len(line) > 0 {
		to(width-right, line[len(line)-1].Y)
		d.Add(drawing.Path{Parts: [][]drawing.Point{line}, Look: curveLooks[i%len(curveLooks)]})
	}
	d.Add(points...)
}

// cover records a line between two places, or a point.
func (d *curveDrawing) cover(x1, y1, x2, y2 float64) {
	const around = 7
	d.bars = append(d.bars, rectangle{x: min(x1, x2) - around, y: min(y1, y2) - around, w: math.Abs(x2-x1) + 2*around, h: math.Abs(y2-y1) + 2*around})
}

// limit draws the limit, if there is one, with a label that crosses no curve.
func (d *curveDrawing) limit() {
	if d.c.Limit <= 0 {
		return
	}
	y := d.y(float64(d.c.Limit))
	d.Line(left, y, width-right, y, limitLook)
	text := plainFont.Fit(d.c.LimitText, width-left-right)
	x, at := d.free(y, plainFont.Long(text))
	d.haloed(x, at, text, drawing.End, width)
}

// free returns the right end of a label of a line at a height that crosses no curve: as close to the
// line, and then as far right, as possible.
func (d *curveDrawing) free(y, long float64) (x, at float64) {
	const end, row, above, below = width - right - 4, 18.0, -6.0, 15.0
	for away := 0.0; away < height; away += row {
		for x := end; x-long > left; x -= 8 {
			for _, at := range []float64{y + above - away, y + below + away} {
				if at > curveTop && at < height-bottom-4 && !slices.ContainsFunc(d.bars, rectangle{x: x - long, y: at - 11, w: long, h: 14}.meets) {
					return x, at
				}
			}
		}
	}
	return end, y + above
}
