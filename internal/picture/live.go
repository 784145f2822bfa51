package picture

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// Live is a plan of tensors that steps write and read in parts: a rectangle is bytes that are in
// use at the same time. Tensors that lie over each other are seen to be in use one after the
// other, byte by byte.
type Live struct {
	Title   string
	Tensors []LiveTensor
	// Total and LowerBound are in bytes.
	Total, LowerBound int64
	LastStep          int
}

// A LiveTensor is a tensor at its offset in bytes.
type LiveTensor struct {
	ID, Name     string
	Offset, Size int64
	// Lives have bytes from the tensor's first one on, and half steps.
	Lives []lifetime.Life
}

// SVG returns the drawing: the same bytes for the same plan.
func (l Live) SVG() []byte {
	var b bytes.Buffer
	m := Map{Title: l.Title, Total: l.Total, LowerBound: l.LowerBound}
	d := drawing{SVG: begin(&b, style, m.Title, m.summary("total")), m: m, last: l.LastStep, across: "step"}
	d.measure()
	byteAxis(d.SVG, float64(m.Total), d.y)
	d.positions()
	for i, t := range l.Tensors {
		d.live(i, t)
	}
	d.bound()
	d.End()
	return b.Bytes()
}

// live draws the bytes of a tensor that are in use.
func (d *drawing) live(i int, t LiveTensor) {
	r := lifetime.Record{ID: t.ID, Name: t.Name, Size: t.Size}
	d.Group()
	d.Title(fmt.Sprintf("%s\n%s at %#x..%#x", tables.Printable(label(r)), units.Bytes(t.Size), t.Offset, t.Offset+t.Size))
	lives := fewer(t.Lives)
	var middle rectangle
	for k, life := range lives {
		x, w := d.x(float64(life.First)/2), float64(life.Last+1-life.First)/2*d.perPosition
		h := float64(life.Hi-life.Lo) * d.perByte
		place := rectangle{x: x, y: d.y(float64(t.Offset + life.Hi)), w: max(w, 0.5), h: max(h, 0.5)}
		d.Rect(place.x, place.y, place.w, place.h, class(place.w, place.h), fmt.Sprintf(`fill="%s"`, colour(i)))
		if k == len(lives)/2 {
			middle = place
		}
	}
	if float64(t.Size)*d.perByte >= 12 && middle.w >= 30 {
		d.Text(middle.x+3, middle.y+middle.h/2+4, d.m.inside(r, int(middle.w/7)), `class="small"`)
	}
	d.Gend()
}

// fewer returns lives of which there are not more than can be told apart: where there are, runs of
// bytes beside each other become one that is in use while any of them is.
func fewer(lives []lifetime.Life) []lifetime.Life {
	const most = 300
	if len(lives) <= most {
		return lives
	}
	each := (len(lives) + most - 1) / most
	var list []lifetime.Life
	for k, life := range lives {
		if last := len(list) - 1; k%each > 0 && list[last].Hi == life.Lo {
			list[last].Hi = life.Hi
			list[last].First, list[last].Last = min(list[last].First, life.First), max(list[last].Last, life.Last)
		} else {
			list = append(list, life)
		}
	}
	return list
}
