package picture

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/tables"
)

// tensor draws the bytes of a tensor, with a tooltip.
func (d *modelDrawing) tensor(i int) {
	r, offset := d.m.Records[i], d.m.Offsets[i]
	g := &drawing.Group{Tip: tip(label(r), offset, r.Size, fmt.Sprintf("\noperators %d to %d", r.First, r.Last))}
	for p := range r.Pieces {
		b := d.box(p.First, p.Last, offset+p.Lo, offset+p.Hi)
		g.Add(drawing.Rect{X: b.x, Y: b.y, W: b.w, H: b.h, Look: lookOf(b.w, b.h), Fill: d.fill(i)})
		if b.w*b.h > d.largest[i].w*d.largest[i].h {
			d.largest[i] = b
		}
	}
	d.Add(g)
}

// box returns the rectangle of bytes over a time. A rectangle that is too small to see is enlarged, but
// not to places without bytes.
func (d *modelDrawing) box(first, last int, lo, hi int64) rectangle {
	b := rectangle{x: d.x(first), y: d.y(hi), w: max(float64(last-first+1)*d.perPosition, 1), h: d.y(lo) - d.y(hi)}
	if b.h < 1 && hi > lo {
		b.y, b.h = max(b.y+b.h-1, d.top), 1
	}
	b.x = min(b.x, d.Width-right-b.w)
	return b
}

// fill returns the colour of a record's role.
func (d *modelDrawing) fill(i int) string {
	role := d.m.Roles[i]
	for _, l := range legend {
		if l.role == role && role != "activation" {
			return l.colour
		}
	}
	return shades[i%len(shades)]
}

// label writes the name of a tensor, or as much of it as fits next to other labels.
func (d *modelDrawing) label(i int) {
	const size, edge = 10.0, 3.0
	r, b := d.m.Records[i], d.largest[i]
	if b.h < size+2 {
		return
	}
	room := b.w - 2*edge
	id, text := tables.Printable(r.ID), smallFont.Fit(label(r), room)
	const legible = 4 // characters of a recognisable name
	if !strings.HasPrefix(text, id) || text != tables.Printable(label(r)) && len(text) < len(id)+1+legible+len("…") {
		text = id
	}
	if smallFont.Long(text) > room {
		return // a part of a number is another number
	}
	place := rectangle{x: b.x + edge, y: b.y + b.h/2 - size/2, w: smallFont.Long(text), h: size}
	if slices.ContainsFunc(d.labelled, place.meets) {
		return // of tensors that share memory
	}
	d.labelled = append(d.labelled, place)
	d.Add(drawing.Label{X: place.x, Y: b.y + b.h/2 + size/2 - 1, Text: text, Font: smallFont, Halo: d.fill(i), HaloWidth: 2})
}

// overlaps hatches the bytes that two tensors hold at the same time.
func (d *modelDrawing) overlaps() {
	if !d.m.Shares {
		return
	}
	type piece struct {
		first, last int
		lo, hi      int64
	}
	var pieces []piece
	for i, r := range d.m.Records {
		for p := range r.Pieces {
			if p.Hi > p.Lo {
				pieces = append(pieces, piece{first: p.First, last: p.Last, lo: d.m.Offsets[i] + p.Lo, hi: d.m.Offsets[i] + p.Hi})
			}
		}
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.first, b.first) })
	var active []piece
	for _, p := range pieces {
		active = slices.DeleteFunc(active, func(q piece) bool { return q.last < p.first })
		for _, q := range active {
			if lo, hi := max(p.lo, q.lo), min(p.hi, q.hi); lo < hi {
				b := d.box(p.first, min(p.last, q.last), lo, hi)
				d.Add(drawing.Rect{X: b.x, Y: b.y, W: b.w, H: b.h, Look: sharedLook, Fill: drawing.Hatched})
			}
		}
		active = append(active, p)
	}
}
