package picture

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Run is memory over time, with the loader and the processor below. Times are in milliseconds.
type Run struct {
	Title, Summary string
	// Total is the number of bytes shown, End the end of the run. Capacity is in bytes, or zero if it
	// is not drawn.
	Total, Capacity int64
	End             float64
	Held            []Held
	// Loads, Computes and Stalls are the tasks of the loader and the processor.
	Loads, Computes, Stalls []Task
}

// A Held is bytes that are held for a time. A weight is drawn as a load until Loaded.
type Held struct {
	Text string
	Role lifetime.Role
	memorymap.Area
	Loaded float64
}

// A Task is a time of the loader or the processor.
type Task struct {
	Text     string
	From, To float64
}

// A runLook is a look with and without an outline, which small shapes omit.
type runLook struct{ edged, bare *drawing.Look }

func newRunLook(class, fill string) runLook {
	return runLook{
		&drawing.Look{Class: class + " edge", Fill: fill, Stroke: "#ffffff", Width: 0.5},
		&drawing.Look{Class: class, Fill: fill},
	}
}

// The looks of a run: of memory, and of the tasks of the loader and the processor.
var (
	residentRun   = newRunLook("resident", memorymap.StyleOf(lifetime.RoleResident).Light[0])
	loadRun       = newRunLook("load", "#e0954a")
	weightRun     = newRunLook("weight", memorymap.StyleOf(lifetime.RoleWeight).Light[0])
	activationRun = newRunLook("activation", memorymap.StyleOf(lifetime.RoleActivation).Light[0])
	stallRun      = newRunLook("stall", "#b3261e")
	busyRun       = newRunLook("busy", "#2e8b57")
	readingRun    = newRunLook("reading", "#c77700")
)

// runTop is the top of the memory of a run, below the legend; lanes is the height of the two lanes
// below it, and lane the height of one.
const runTop, lanes, lane = 96.0, 70.0, 22.0

// Page returns the drawing.
func (r Run) Page() *drawing.Page {
	d := runDrawing{paper: newPaper(r.Title, width, height), r: r}
	d.perMS = (width - left - right) / math.Max(r.End, 1e-9)
	d.perByte = (height - runTop - bottom - lanes) / r.most()
	d.keys(margin, d.below(r.Summary)+6, []key{
		{fill: residentRun.bare.Fill, words: memorymap.StyleOf(lifetime.RoleResident).Words},
		{fill: loadRun.bare.Fill, words: "weights, being loaded"},
		{fill: weightRun.bare.Fill, words: memorymap.StyleOf(lifetime.RoleWeight).Words},
		{fill: activationRun.bare.Fill, words: "other tensors"},
		{fill: readingRun.bare.Fill, words: "the loader reads"},
		{fill: busyRun.bare.Fill, words: "the processor computes"},
		{fill: stallRun.bare.Fill, words: "waits"},
	})
	d.memory()
	d.capacity()
	d.lane(0, "loader", map[*runLook][]Task{&readingRun: r.Loads})
	d.lane(1, "processor", map[*runLook][]Task{&busyRun: r.Computes, &stallRun: r.Stalls})
	d.scaleBelow(height-bottom, r.End, "", "milliseconds", d.x)
	return d.paper.Page
}

// most returns the bytes at the top.
func (r Run) most() float64 { return float64(max(r.Total, r.Capacity, 1)) }

// A runDrawing is the state of drawing a run.
type runDrawing struct {
	paper
	r              Run
	perMS, perByte float64
}

func (d *runDrawing) x(ms float64) float64 { return left + ms*d.perMS }

func (d *runDrawing) y(address float64) float64 {
	return height - bottom - lanes - address*d.perByte
}

// memory draws the addresses and the held bytes.
func (d *runDrawing) memory() {
	d.byteGrid(d.r.most(), 8, height-bottom-lanes, height-runTop-bottom-lanes)
	for _, h := range d.r.Held {
		g := &drawing.Group{Tip: tip(h.Text, h.Lo, h.Hi-h.Lo, fmt.Sprintf("\n%.3f ms to %.3f ms", h.From, h.To))}
		switch h.Role {
		case lifetime.RoleResident:
			d.held(g, h.Area, residentRun)
		case lifetime.RoleWeight:
			load, held := h.Area, h.Area
			load.To, held.From = h.Loaded, h.Loaded
			d.held(g, load, loadRun)
			d.held(g, held, weightRun)
		default:
			d.held(g, h.Area, activationRun)
		}
		d.Add(g)
	}
}

// capacity draws the capacity.
func (d *runDrawing) capacity() {
	if d.r.Capacity > 0 {
		y := d.y(float64(d.r.Capacity))
		d.Line(left, y, width-right, y, capacityLook)
		d.haloed(left+6, y+13, "budget "+units.Bytes(d.r.Capacity), drawing.Start, width-left-right)
	}
}

// held draws an area, unless its time is too short to see.
func (d *runDrawing) held(g *drawing.Group, a memorymap.Area, look runLook) {
	w, high := (a.To-a.From)*d.perMS, math.Max(float64(a.Hi-a.Lo)*d.perByte, 0.2)
	if w < 0.05 {
		return
	}
	l := look.bare // an outline would hide smaller shapes
	if w >= 3 && high >= 3 {
		l = look.edged
	}
	g.Add(drawing.Rect{X: d.x(a.From), Y: d.y(float64(a.Hi)), W: w, H: high, Look: l})
}

// lane draws the tasks of the loader or the processor.
func (d *runDrawing) lane(i int, name string, tasks map[*runLook][]Task) {
	y := height - bottom - lanes + 8 + float64(i)*(lane+8)
	d.write(left-8, y+15, name, plainFont, drawing.End)
	for _, look := range []*runLook{&readingRun, &busyRun, &stallRun} {
		for _, t := range tasks[look] {
			d.Add(&drawing.Group{
				Tip:   fmt.Sprintf("%s\n%.3f ms to %.3f ms", tables.Printable(t.Text), t.From, t.To),
				Marks: []drawing.Mark{drawing.Rect{X: d.x(t.From), Y: y, W: math.Max((t.To-t.From)*d.perMS, 0.2), H: lane, Look: look.bare}},
			})
		}
	}
}
