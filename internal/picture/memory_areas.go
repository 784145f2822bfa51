package picture

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

type rectangle struct{ x, y, w, h float64 }

// meets reports whether two rectangles overlap.
func (r rectangle) meets(s rectangle) bool {
	return r.x < s.x+s.w && s.x < r.x+r.w && r.y < s.y+s.h && s.y < r.y+r.h
}

// record draws the bytes of a record, with a tooltip, and returns the rectangle for its label: the
// largest one, or for a record in many strips the middle one, as high as all of them.
func (d *mapDrawing) record(i int) (largest rectangle) {
	r := d.m.Records[i]
	var middle rectangle
	g := &drawing.Group{Tip: tip(label(r), d.m.Offsets[i], r.Size, fmt.Sprintf("\n%ss %d to %d", d.m.Unit, r.First, r.Last))}
	areas := fewer(d.m.Areas(i, d.Span))
	for k, a := range areas {
		b := d.box(a)
		g.Add(drawing.Rect{X: b.x, Y: b.y, W: b.w, H: b.h, Look: lookOf(b.w, b.h), Fill: d.fill(i)})
		if b.w*b.h > largest.w*largest.h {
			largest = b
		}
		if d.m.Lives != nil && k == len(areas)/2 {
			high := d.y(0) - d.y(r.Size)
			middle = rectangle{x: b.x, y: b.y + (b.h-high)/2, w: b.w, h: high}
		}
	}
	d.Add(g)
	if d.m.Lives != nil {
		return middle
	}
	return largest
}

// fewer merges areas that are too many to distinguish: adjacent runs of bytes become one that is held
// while any of them is.
func fewer(areas []memorymap.Area) []memorymap.Area {
	const most = 300
	if len(areas) <= most {
		return areas
	}
	each := (len(areas) + most - 1) / most
	var list []memorymap.Area
	for k, a := range areas {
		if last := len(list) - 1; k%each > 0 && list[last].Hi == a.Lo {
			list[last].Hi = a.Hi
			list[last].From, list[last].To = min(list[last].From, a.From), max(list[last].To, a.To)
		} else {
			list = append(list, a)
		}
	}
	return list
}

// box returns the rectangle of an area. One that is too small to see is enlarged, but not to places
// without bytes or outside of the frame.
func (d *mapDrawing) box(a memorymap.Area) rectangle {
	b := rectangle{x: d.x(a.From), y: d.y(a.Hi), w: max((a.To-a.From)*d.across, 1), h: d.y(a.Lo) - d.y(a.Hi)}
	if b.h < 1 && a.Hi > a.Lo {
		b.y, b.h = max(b.y+b.h-1, d.top), 1
	}
	b.x = min(b.x, d.Width-right-b.w)
	return b
}

// fill returns the colour of a record: that of its role, or of its requester.
func (d *mapDrawing) fill(i int) string {
	shades := memorymap.StyleOf(d.m.Role(i)).Light
	if len(d.requesters) > 0 {
		shades, i = memorymap.Requester.Light, d.requesters[d.m.Records[i].Name]
	}
	return shades[i%len(shades)]
}

// label writes the name of a record into its largest rectangle, unless another label is there.
func (d *mapDrawing) label(i int, b rectangle) {
	const size, edge = 10.0, 3.0
	if b.h < size+2 {
		return
	}
	text := d.m.inside(d.m.Records[i], b.w-2*edge)
	place := rectangle{x: b.x + edge, y: b.y + b.h/2 - size/2, w: smallFont.Long(text), h: size}
	if text == "" || slices.ContainsFunc(d.labelled, place.meets) {
		return // of records that share memory
	}
	d.labelled = append(d.labelled, place)
	d.Add(drawing.Label{X: place.x, Y: b.y + b.h/2 + size/2 - 1, Text: text, Font: smallFont, Halo: d.fill(i), HaloWidth: 2})
}

// inside returns the label that fits a length in pixels: the ID, and the name if enough of it is
// readable. Blocks of a trace have their name, or else the whole ID.
func (m Memory) inside(r lifetime.Record, room float64) string {
	id, name, text := tables.Printable(r.ID), tables.Printable(r.Name), label(r)
	legible := len(id) + len(" ") + 4 // bytes of a recognisable text
	if m.Unit == memorymap.Events && name != "" {
		id, text, legible = "", r.Name, 8
	}
	text = smallFont.Fit(text, room)
	if whole := text == tables.Printable(label(r)) || text == name; whole || strings.HasPrefix(text, id) && len(text) >= legible+len("…") {
		return text
	}
	if smallFont.Long(id) > room {
		return "" // a part of a number is another number
	}
	return id
}

func label(r lifetime.Record) string {
	if r.Name == "" {
		return r.ID
	}
	return r.ID + " " + r.Name
}

// overlaps hatches the bytes that two records hold at the same time.
func (d *mapDrawing) overlaps() {
	if !d.m.Shares {
		return
	}
	for _, a := range d.m.Overlaps(d.Span) {
		b := d.box(a)
		d.Add(drawing.Rect{X: b.x, Y: b.y, W: b.w, H: b.h, Look: sharedLook, Fill: drawing.Hatched})
	}
}

// levels draws lines across the map: the total, the lower bound, and the capacity.
func (d *mapDrawing) levels() {
	room := d.Width - left - right - 10
	line := func(bytes int64, look *drawing.Look, words string, below bool) {
		y := d.y(bytes)
		d.Line(left, y, d.Width-right, y, look)
		at := y - 4
		if below {
			at = y + 13
		}
		d.haloed(d.Width-right-4, at, words+" "+units.Bytes(bytes), drawing.End, room)
	}
	switch {
	case d.m.LowerBound == d.m.Total:
		line(d.m.Total, totalLook, "total, equal to the lower bound:", d.m.Capacity > d.m.Total)
	case d.m.LowerBound > 0:
		line(d.m.LowerBound, boundLook, "lower bound", true)
		line(d.m.Total, totalLook, "total", false)
	default:
		line(d.m.Total, totalLook, "total", d.m.Capacity > d.m.Total)
	}
	if d.m.Capacity > 0 {
		y := d.y(d.m.Capacity)
		d.Line(left, y, d.Width-right, y, capacityLook)
		d.haloed(left+6, y-4, "capacity "+units.Bytes(d.m.Capacity), drawing.Start, room)
	}
}
