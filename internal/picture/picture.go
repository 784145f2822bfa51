// Package picture draws a plan as a memory map: an SVG with operator positions on the x
// axis, addresses on the y axis, and one rectangle for each tensor. It also draws the bytes in
// use of tensors in tiles, [Live], and [Curves] of what memory costs in work.
package picture

import (
	"bytes"
	"fmt"

	svg "github.com/ajstarks/svgo/float"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A Map is a plan to be drawn.
type Map struct {
	Title string
	// Records and Offsets, in bytes, are parallel.
	Records []lifetime.Record
	Offsets []int64
	// Total and LowerBound are in bytes.
	Total, LowerBound int64
	// Trace says that positions are events of a trace, and records blocks of memory: their names
	// say who asked for them, and their IDs are addresses, which nobody reads in a picture.
	Trace bool
}

// style is the look, apart from the rectangles' colours.
const style = `text { font: 12px sans-serif; fill: #222 }
.title { font-size: 16px; font-weight: bold }
.small { font-size: 10px; pointer-events: none }
.axis { stroke: #888; stroke-width: 1 }
.grid { stroke: #ddd; stroke-width: 1 }
.bound { stroke: #c00; stroke-width: 1.5; stroke-dasharray: 6 4 }
rect.tensor { stroke: #fff; stroke-width: 0.5 }
rect.thin { stroke: none }
rect.tensor:hover { stroke: #000; stroke-width: 2 }`

// SVG returns the drawing: the same bytes for the same map.
func (m Map) SVG() []byte {
	var b bytes.Buffer
	memory, across := "arena", "operator position"
	if m.Trace {
		memory, across = "planned", "event"
	}
	d := drawing{SVG: begin(&b, style, m.Title, m.summary(memory)), m: m, across: across, groups: map[string]int{}}
	d.scale()
	byteAxis(d.SVG, float64(m.Total), d.y)
	d.positions()
	for i := range m.Records {
		d.tensor(i)
	}
	d.bound()
	d.End()
	return b.Bytes()
}

// position is what a position on the x axis is.
func (m Map) position() string {
	if m.Trace {
		return "event"
	}
	return "operator"
}

func (m Map) summary(memory string) string {
	s := memory + " " + units.Bytes(m.Total)
	if m.Total == m.LowerBound {
		return s + ", equal to the lower bound"
	}
	return s + ", lower bound " + units.Bytes(m.LowerBound)
}

// drawing is a map on its way to the page. Position p is the strip from p to p+1.
type drawing struct {
	*svg.SVG
	m           Map
	base, last  int     // the first position and the last
	span        float64 // the number of positions
	perPosition float64 // pixels
	perByte     float64 // pixels
	across      string  // what positions are
	groups      map[string]int
}

func (d *drawing) scale() {
	for i, r := range d.m.Records {
		if i == 0 {
			d.base, d.last = r.First, r.Last
		}
		d.base, d.last = min(d.base, r.First), max(d.last, r.Last)
	}
	d.measure()
}

// measure says how large a position and a byte are on the page.
func (d *drawing) measure() {
	d.span = d.distance(d.last) + 1
	d.perPosition = (width - left - right) / d.span
	d.perByte = (height - top - bottom) / float64(max(d.m.Total, 1))
}

// distance returns how far a position is from the first. The difference of two ints
// always fits in a uint64; far out, two positions may be one float64.
func (d *drawing) distance(position int) float64 {
	return float64(uint64(position) - uint64(d.base))
}

func (d *drawing) x(distance float64) float64 { return left + distance*d.perPosition }
func (d *drawing) y(address float64) float64  { return height - bottom - address*d.perByte }

func (d *drawing) tensor(i int) {
	r, offset := d.m.Records[i], d.m.Offsets[i]
	name := tables.Printable(label(r))
	d.Group()
	d.Title(fmt.Sprintf("%s\n%s at %#x..%#x\n%ss %d to %d", name, units.Bytes(r.Size), offset, offset+r.Size, d.m.position(), r.First, r.Last))
	var largest rectangle
	for p := range r.Pieces {
		piece := d.place(p, offset)
		d.Rect(piece.x, piece.y, piece.w, piece.h, class(piece.w, piece.h), fmt.Sprintf(`fill="%s"`, colour(d.group(i))))
		if piece.w*piece.h > largest.w*largest.h {
			largest = piece
		}
	}
	if largest.h >= 12 && largest.w >= 30 {
		if text := d.m.inside(r, int(largest.w/7)); text != "" {
			d.Text(largest.x+3, largest.y+largest.h/2+4, text, `class="small"`)
		}
	}
	d.Gend()
}

type rectangle struct{ x, y, w, h float64 }

// place returns the rectangle of what a tensor holds for a time. One that would be too
// small to be seen is drawn larger, but not where it has no bytes, nor beyond the frame.
func (d *drawing) place(p lifetime.Piece, offset int64) rectangle {
	const least = 1
	bytes := float64(p.Hi - p.Lo)
	x, w := d.x(d.distance(p.First)), (d.distance(p.Last)-d.distance(p.First)+1)*d.perPosition
	y, h := d.y(float64(offset)+float64(p.Hi)), bytes*d.perByte
	if w < least {
		x, w = min(x, width-right-least), least
	}
	if h < least && bytes > 0 {
		y, h = max(y-(least-h), top), least
	}
	return rectangle{x: x, y: y, w: w, h: h}
}

// class returns the class of a rectangle: the white line around a thin one would cover
// what it goes around.
func class(w, h float64) string {
	const thin = 3
	if w < thin || h < thin {
		return `class="tensor thin"`
	}
	return `class="tensor"`
}

// inside returns what fits into a rectangle with room for some letters: the ID,
// and the name where enough of it can be read; of a trace the name, or else the whole ID.
func (m Map) inside(r lifetime.Record, room int) string {
	id, name := tables.Printable(r.ID), tables.Printable(r.Name)
	const legible = 8
	switch {
	case !m.Trace:
	case name == "" && len(id) <= room:
		return id
	case room >= min(legible, len(name)):
		return tables.Elide(name, room)
	default:
		return ""
	}
	if rest := room - len(id) - 1; name != "" && rest >= min(legible, len(name)) {
		return id + " " + tables.Elide(name, rest)
	}
	return tables.Elide(id, room)
}

func label(r lifetime.Record) string {
	if r.Name == "" {
		return r.ID
	}
	return r.ID + " " + r.Name
}

// group returns the number of a record's colour: records of a trace with the same name have the
// same one.
func (d *drawing) group(i int) int {
	if !d.m.Trace {
		return i
	}
	name := d.m.Records[i].Name
	n, known := d.groups[name]
	if !known {
		n = len(d.groups)
		d.groups[name] = n
	}
	return n
}

// colour returns one of twelve light colours; neighbours in the list of records
// get hues far apart.
func colour(i int) string {
	return fmt.Sprintf("hsl(%d,55%%,%d%%)", i*5%12*30, 72+i/12%2*8)
}

func (d *drawing) bound() {
	if d.m.LowerBound <= 0 || d.m.LowerBound == d.m.Total {
		return
	}
	y := d.y(float64(d.m.LowerBound))
	d.Line(left, y, width-right, y, `class="bound"`)
	d.Text(width-right-80, y-4, "lower bound")
}
