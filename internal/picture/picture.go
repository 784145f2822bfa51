// Package picture draws a plan as a memory map: operator positions on the x axis, addresses on the y
// axis, and one rectangle for each tensor. It also draws the bytes in use of tensors in tiles, [Live],
// and the trade-off between memory and work, [Curves]. Package render writes the drawings.
package picture

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Map is a plan to draw.
type Map struct {
	Title string
	// Below are lines in small print below the title.
	Below []string
	// Records and Offsets, in bytes, are parallel.
	Records []lifetime.Record
	Offsets []int64
	// Total, LowerBound and Capacity, which is zero if unknown, are in bytes.
	Total, LowerBound, Capacity int64
	// Trace reports that positions are events of a trace, and records blocks of memory: their names are
	// their requesters, and their IDs are addresses, which pictures omit.
	Trace bool
	// Load is the live bytes over time; nil means the live bytes of Records.
	Load []lifetime.Section
}

// Page returns the drawing.
func (m Map) Page() *drawing.Page {
	memory, across := "arena", "operator position"
	if m.Trace {
		memory, across = "planned", "event"
	}
	d := mapDrawing{m: m, across: across, groups: map[string]int{}}
	d.scale()
	long := pageWidth(d.span)
	lines := []string{summary(memory, m.Total, m.LowerBound)}
	for _, text := range m.Below {
		lines = append(lines, mutedFont.Wrap(text, long-2*margin)...)
	}
	d.top = top + lineHeight*float64(len(lines)-1)
	d.floor = d.top + height - top - bottom
	d.foot = d.floor + between + curveHeight
	d.paper = newPaper(m.Title, long, d.foot+bottom)
	d.measure()
	y := d.below(lines...)
	if m.Trace {
		d.keys(margin, y+2, d.callers())
	}
	d.byteGrid(d.most, 8, d.floor, d.floor-d.top)
	d.load()
	d.positions()
	for i := range m.Records {
		d.tensor(i)
	}
	d.lines()
	return d.paper.Page
}

// position is the name of a position on the x axis.
func (m Map) position() string {
	if m.Trace {
		return "event"
	}
	return "operator"
}

// A mapDrawing is the state of drawing a map. Position p is the strip from p to p+1.
type mapDrawing struct {
	paper
	m           Map
	base, last  int     // the first position and the last
	span        float64 // the number of positions
	most        float64 // the bytes at the top
	perPosition float64 // pixels
	perByte     float64 // pixels
	across      string  // the title of the x axis
	// The map lies between top and floor, and the x axis at foot.
	top, floor, foot float64
	groups           map[string]int
}

func (d *mapDrawing) scale() {
	for i, r := range d.m.Records {
		if i == 0 {
			d.base, d.last = r.First, r.Last
		}
		d.base, d.last = min(d.base, r.First), max(d.last, r.Last)
	}
	for _, s := range d.m.Load {
		d.base, d.last = min(d.base, s.First), max(d.last, s.Last)
	}
	d.span = d.distance(d.last) + 1
}

// measure computes the size of a position and a byte on the page.
func (d *mapDrawing) measure() {
	d.most = float64(max(d.m.Total, d.m.Capacity, 1))
	d.perPosition = (d.Width - left - right) / d.span
	d.perByte = (d.floor - d.top) / d.most
}

// distance returns the distance of a position from the first. The difference of two ints always fits a
// uint64; large ones may round to the same float64.
func (d *mapDrawing) distance(position int) float64 {
	return float64(uint64(position) - uint64(d.base))
}

func (d *mapDrawing) x(distance float64) float64 { return left + distance*d.perPosition }
func (d *mapDrawing) y(address float64) float64  { return d.floor - address*d.perByte }

func (d *mapDrawing) tensor(i int) {
	r, offset := d.m.Records[i], d.m.Offsets[i]
	g := &drawing.Group{Tip: tip(label(r), offset, r.Size, fmt.Sprintf("\n%ss %d to %d", d.m.position(), r.First, r.Last))}
	var largest rectangle
	for p := range r.Pieces {
		piece := d.place(p, offset)
		g.Add(drawing.Rect{X: piece.x, Y: piece.y, W: piece.w, H: piece.h, Look: lookOf(piece.w, piece.h), Fill: colour(d.group(i))})
		if piece.w*piece.h > largest.w*largest.h {
			largest = piece
		}
	}
	if largest.h >= 12 && largest.w >= 30 {
		if text := d.m.inside(r, largest.w-6); text != "" {
			g.Add(drawing.Label{X: largest.x + 3, Y: largest.y + largest.h/2 + 4, Text: text, Font: smallFont})
		}
	}
	d.Add(g)
}

type rectangle struct{ x, y, w, h float64 }

// meets reports whether two rectangles overlap.
func (r rectangle) meets(s rectangle) bool {
	return r.x < s.x+s.w && s.x < r.x+r.w && r.y < s.y+s.h && s.y < r.y+r.h
}

// place returns the rectangle of a tensor's bytes over a time. A rectangle that is too small to see is
// enlarged, but not to places without bytes or outside of the frame.
func (d *mapDrawing) place(p lifetime.Piece, offset int64) rectangle {
	const least = 1
	bytes := float64(p.Hi - p.Lo)
	x, w := d.x(d.distance(p.First)), (d.distance(p.Last)-d.distance(p.First)+1)*d.perPosition
	y, h := d.y(float64(offset)+float64(p.Hi)), bytes*d.perByte
	if w < least {
		x, w = min(x, d.Width-right-least), least
	}
	if h < least && bytes > 0 {
		y, h = max(y-(least-h), d.top), least
	}
	return rectangle{x: x, y: y, w: w, h: h}
}

// inside returns the label that fits a rectangle of some pixels: the ID, and the name if enough of it
// is readable; for a trace the name, or else the whole ID.
func (m Map) inside(r lifetime.Record, room float64) string {
	const legible = 8 // letters
	id, name := tables.Printable(r.ID), tables.Printable(r.Name)
	readable := func(text string) bool {
		return text == name || len([]rune(text)) > legible
	}
	switch part := smallFont.Fit(name, room); {
	case !m.Trace:
	case name == "" && smallFont.Long(id) <= room:
		return id
	case name != "" && readable(part):
		return part
	default:
		return ""
	}
	if part := smallFont.Fit(name, room-smallFont.Long(id+" ")); part != "" && readable(part) {
		return id + " " + part
	}
	return smallFont.Fit(id, room)
}

func label(r lifetime.Record) string {
	if r.Name == "" {
		return r.ID
	}
	return r.ID + " " + r.Name
}

// lines marks the lower bound, if the plan is above it, and the capacity, if any.
func (d *mapDrawing) lines() {
	if d.m.LowerBound > 0 && d.m.LowerBound != d.m.Total {
		y := d.y(float64(d.m.LowerBound))
		d.Line(left, y, d.Width-right, y, boundLook)
		d.haloed(d.Width-right-4, y-4, "lower bound", drawing.End, d.Width)
	}
	if d.m.Capacity > 0 {
		y := d.y(float64(d.m.Capacity))
		d.Line(left, y, d.Width-right, y, capacityLook)
		d.haloed(left+6, y-4, "capacity "+units.Bytes(d.m.Capacity), drawing.Start, d.Width-left-right)
	}
}
