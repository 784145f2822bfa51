package picture

import (
	"bytes"
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	svg "github.com/ajstarks/svgo/float"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// A Run is memory over time, with the loader and the processor below. All times are in
// milliseconds.
type Run struct {
	Title, Summary string
	// Total is the number of bytes shown, End the end of the run.
	Total int64
	End   float64
	Held  []Held
	// Loads, Computes and Stalls are what the loader and the processor do.
	Loads, Computes, Stalls []Task
}

// A Held is bytes that are held for a time. Those that are loaded are drawn as a load until Loaded.
type Held struct {
	Text             string
	Offset, Bytes    int64
	From, Loaded, To float64
	Resident         bool
	Weight           bool
}

// A Task is a piece of the time of the loader or the processor.
type Task struct {
	Text     string
	From, To float64
}

const runStyle = style + `
.load { fill: #c77700; fill-opacity: 0.55 }
.weight { fill: #1b6ca8; fill-opacity: 0.45 }
.resident { fill: #6a3d9a; fill-opacity: 0.35 }
.activation { fill: #2e8b57; fill-opacity: 0.5 }
.stall { fill: #b3261e }
.busy { fill: #2e8b57 }
.reading { fill: #c77700 }
.edge { stroke: #fff; stroke-width: 0.5 }`

// lanes is the room of the two lanes below the memory, lane that of one of them, in pixels.
const lanes, lane = 70.0, 22.0

// SVG returns the drawing: the same bytes for the same run.
func (r Run) SVG() []byte {
	var b bytes.Buffer
	d := runDrawing{SVG: svg.New(&b), r: r}
	d.perMS = (width - left - right) / math.Max(r.End, 1e-9)
	d.perByte = (height - top - bottom - lanes) / float64(max(r.Total, 1))
	d.Startview(width, height, 0, 0, width, height)
	d.Style("text/css", runStyle)
	d.Title(tables.Printable(r.Title))
	d.Rect(0, 0, width, height, `fill="#fff"`)
	d.Text(left, 26, tables.Elide(tables.Printable(r.Title), 100), `class="title"`)
	d.Text(left, 46, tables.Printable(r.Summary))
	d.legend()
	d.memory()
	d.lane(0, "loader", map[string][]Task{"reading": r.Loads})
	d.lane(1, "processor", map[string][]Task{"busy": r.Computes, "stall": r.Stalls})
	d.time()
	d.End()
	return b.Bytes()
}

// A runDrawing is a run on its way to the page.
type runDrawing struct {
	*svg.SVG
	r              Run
	perMS, perByte float64
}

func (d *runDrawing) x(ms float64) float64      { return left + ms*d.perMS }
func (d *runDrawing) y(address float64) float64 { return height - bottom - lanes - address*d.perByte }

// legend says what the colours are, at the left of the last line.
func (d *runDrawing) legend() {
	const swatch, entry, base = 12.0, 94.0, height - bottom + 40
	for i, l := range []struct{ class, name string }{
		{"resident", "resident"}, {"load", "being loaded"}, {"weight", "loaded"}, {"activation", "other tensors"}, {"stall", "waits"},
	} {
		x := left + float64(i)*entry
		d.Rect(x, base-swatch+2, swatch, swatch, `class="`+l.class+`"`)
		d.Text(x+swatch+5, base, l.name)
	}
}

// memory draws the addresses and what is held.
func (d *runDrawing) memory() {
	scale := units.CommonScale(d.r.Total)
	most := float64(d.r.Total) / float64(scale.Bytes)
	step := niceStep(most, 8)
	for i := 0; float64(i)*step <= most; i++ {
		y := d.y(float64(i) * step * float64(scale.Bytes))
		d.Line(left, y, width-right, y, `class="grid"`)
		d.Text(left-8, y+4, humanize.Commaf(round(float64(i)*step))+" "+scale.Unit, `text-anchor="end"`)
	}
	for _, h := range d.r.Held {
		d.Group()
		d.Title(fmt.Sprintf("%s\n%s at %#x..%#x\n%.3f ms to %.3f ms", tables.Printable(h.Text), units.Bytes(h.Bytes), h.Offset, h.Offset+h.Bytes, h.From, h.To))
		switch {
		case h.Resident:
			d.held(h, h.From, h.To, "resident")
		case h.Weight:
			d.held(h, h.From, h.Loaded, "load")
			d.held(h, h.Loaded, h.To, "weight")
		default:
			d.held(h, h.From, h.To, "activation")
		}
		d.Gend()
	}
	d.Line(left, top, left, height-bottom-lanes, `class="axis"`)
}

// held draws a piece of the time in which bytes are held, unless it is too short to be seen.
func (d *runDrawing) held(h Held, from, to float64, class string) {
	w, high := (to-from)*d.perMS, math.Max(float64(h.Bytes)*d.perByte, 0.2)
	if w < 0.05 {
		return
	}
	if w >= 3 && high >= 3 {
		class += " edge" // which would hide what is smaller
	}
	d.Rect(d.x(from), d.y(float64(h.Offset+h.Bytes)), w, high, `class="`+class+`"`)
}

// lane draws what the loader or the processor does.
func (d *runDrawing) lane(i int, name string, tasks map[string][]Task) {
	y := height - bottom - lanes + 8 + float64(i)*(lane+8)
	d.Text(left-8, y+15, name, `text-anchor="end"`)
	for _, class := range []string{"reading", "busy", "stall"} {
		for _, t := range tasks[class] {
			d.Group()
			d.Title(fmt.Sprintf("%s\n%.3f ms to %.3f ms", tables.Printable(t.Text), t.From, t.To))
			d.Rect(d.x(t.From), y, math.Max((t.To-t.From)*d.perMS, 0.2), lane, `class="`+class+`"`)
			d.Gend()
		}
	}
}

// time draws the axis of milliseconds.
func (d *runDrawing) time() {
	y := height - bottom
	d.Line(left, y, width-right, y, `class="axis"`)
	step := niceStep(d.r.End, 12)
	for i := 0; float64(i)*step <= d.r.End; i++ {
		x := d.x(float64(i) * step)
		d.Line(x, y, x, y+4, `class="axis"`)
		d.Text(x, y+18, humanize.Commaf(round(float64(i)*step)), `text-anchor="middle"`)
	}
	d.Text((left+width-right)/2, y+40, "milliseconds", `text-anchor="middle"`)
}
