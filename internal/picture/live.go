package picture

import (
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/lifetime"
)

// Live is a plan of tensors that steps write and read in parts: a rectangle is bytes that are in use at
// the same time. It shows that tensors that share bytes use each of them at different times.
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

// Page returns the drawing.
func (l Live) Page() *drawing.Page {
	m := Map{Title: l.Title, Total: l.Total, LowerBound: l.LowerBound}
	d := mapDrawing{paper: newPaper(m.Title, width, height), m: m, last: l.LastStep, across: "step", top: top, floor: height - bottom, foot: height - bottom}
	d.below(summary("total", l.Total, l.LowerBound))
	d.span = d.distance(d.last) + 1
	d.measure()
	d.byteGrid(d.most, 8, height-bottom, height-top-bottom)
	d.positions()
	for i, t := range l.Tensors {
		d.live(i, t)
	}
	d.lines()
	return d.paper.Page
}

// live draws the bytes of a tensor that are in use.
func (d *mapDrawing) live(i int, t LiveTensor) {
	r := lifetime.Record{ID: t.ID, Name: t.Name, Size: t.Size}
	g := &drawing.Group{Tip: tip(label(r), t.Offset, t.Size, "")}
	lives := fewer(t.Lives)
	var middle rectangle
	for k, life := range lives {
		x, w := d.x(float64(life.First)/2), float64(life.Last+1-life.First)/2*d.perPosition
		h := float64(life.Hi-life.Lo) * d.perByte
		place := rectangle{x: x, y: d.y(float64(t.Offset + life.Hi)), w: max(w, 0.5), h: max(h, 0.5)}
		g.Add(drawing.Rect{X: place.x, Y: place.y, W: place.w, H: place.h, Look: lookOf(place.w, place.h), Fill: colour(i)})
		if k == len(lives)/2 {
			middle = place
		}
	}
	if float64(t.Size)*d.perByte >= 12 && middle.w >= 30 {
		if text := d.m.inside(r, middle.w-6); text != "" {
			g.Add(drawing.Label{X: middle.x + 3, Y: middle.y + middle.h/2 + 4, Text: text, Font: smallFont})
		}
	}
	d.Add(g)
}

// fewer merges lives that are too many to distinguish: adjacent runs of bytes become one that is in use
// while any of them is.
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
