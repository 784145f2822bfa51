package picture

import (
	"bytes"
	"math"

	svg "github.com/ajstarks/svgo/float"

	"github.com/tflarena/tflarena/lifetime"
)

// A Model is a plan of a model to be drawn: what lies where and when, with colours that say what a
// tensor is there for, and below that how many bytes are alive at each operator.
type Model struct {
	Title string
	// Below are lines in small print below the title.
	Below []string
	// Records, Offsets, in bytes, and Roles are parallel. Roles are keys of the legend.
	Records []lifetime.Record
	Offsets []int64
	Roles   []string
	// Steps are the names of what happens at positions, from position 0 on.
	Steps []string
	// Total and LowerBound are in bytes, and so is Capacity, which is zero where there is none.
	Total, LowerBound, Capacity int64
	// Shares says that tensors share memory on purpose.
	Shares bool
}

// legend says what colours mean, in the order in which a picture has them.
var legend = []struct{ role, colour, words string }{
	{"input", "#8fd0b0", "model input"},
	{"output", "#4fae86", "model output"},
	{"activation", "#9cc4ec", "activation"},
	{"scratch", "#f3c27a", "scratch of kernels"},
	{"variable", "#cdb2e6", "variable"},
	{"constant", "#c4c8cc", "constant"},
}

// shades are what activations that follow each other have for colours.
var shades = []string{"#9cc4ec", "#b5d3f2", "#87b6e4"}

const modelStyle = `text { font: 12px sans-serif; fill: #1b1f24 }
.title { font-size: 16px; font-weight: bold }
.muted { fill: #57606a }
.small { font-size: 10px; pointer-events: none; paint-order: stroke }
.grid { stroke: #e3e7eb; stroke-width: 1 }
.axis { stroke: #57606a; stroke-width: 1; fill: none }
.tensor { stroke: #fff; stroke-width: 0.7 }
.thin { stroke: none }
.tensor:hover { stroke: #000; stroke-width: 2 }
.load { fill: #9fb3c8 }
.peak { fill: #7a2f00 }
.head { stroke: #7a2f00; stroke-width: 1.5 }
.bound { stroke: #b3261e; stroke-width: 1.5; stroke-dasharray: 6 4 }
.capacity { stroke: #6a3d9a; stroke-width: 1.5; stroke-dasharray: 2 3 }`

// The measures of a picture of a model, in pixels: its rooms from the top downwards. Its width
// follows from the number of operators.
const (
	mapHeight             = 460.0
	between, curveHeight  = 30.0, 84.0
	namesHeight           = 112.0
	leastWidth, mostWidth = 1000.0, 2400.0
	perOperator           = 12.0
)

// SVG returns the drawing: the same bytes for the same model.
func (m Model) SVG() []byte {
	var b bytes.Buffer
	d := &modelDrawing{SVG: svg.New(&b), m: m}
	d.measure()
	d.Startview(d.width, d.height, 0, 0, d.width, d.height)
	d.Style("text/css", modelStyle)
	d.headings()
	d.bytesAxis()
	for i := range m.Records {
		d.tensor(i)
	}
	d.overlaps()
	for i := range m.Records {
		d.label(i)
	}
	d.levels()
	d.load()
	d.steps()
	d.End()
	return b.Bytes()
}

// A modelDrawing is a model on its way to the page. Position p is the strip from p to p+1.
type modelDrawing struct {
	*svg.SVG
	m Model
	// width and height are those of the page. The map lies between top and bottom, and the curve
	// ends at foot.
	width, height, top, bottom, foot float64
	// base and last are the first position and the last, most the bytes at the top of the map.
	base, last  int
	most        float64
	perPosition float64 // pixels
	// largest are the rectangles that have the labels.
	largest []rectangle
}

func (d *modelDrawing) measure() {
	d.last = max(len(d.m.Steps)-1, 0)
	for _, r := range d.m.Records {
		d.base, d.last = min(d.base, r.First), max(d.last, r.Last)
	}
	span := float64(d.last-d.base) + 1
	d.width = math.Round(min(max(left+right+span*perOperator, leastWidth), mostWidth))
	d.perPosition = (d.width - left - right) / span
	const above = 1.06 // room for words above the highest line
	d.most = float64(max(d.m.Total, d.m.Capacity, d.m.LowerBound, 1)) * above
	d.largest = make([]rectangle, len(d.m.Records))
	const headings, line = 100.0, 16.0
	d.top = headings + line*float64(len(d.m.Below))
	d.bottom = d.top + mapHeight
	d.foot = d.bottom + between + curveHeight
	d.height = d.foot + namesHeight
}

func (d *modelDrawing) x(position int) float64 { return left + float64(position-d.base)*d.perPosition }

func (d *modelDrawing) y(address int64) float64 {
	return d.bottom - mapHeight*float64(address)/d.most
}
