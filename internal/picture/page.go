// Package picture draws memory maps, charts of strategies, and curves of memory against work, as values of
// package drawing, which package render writes as SVG, PNG or PDF.
package picture

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Sizes of a page of fixed width in pixels, with the margins of its drawing.
const (
	width, height = 1200.0, 660.0
	left, right   = 110.0, 20.0
	top, bottom   = 80.0, 50.0
	margin        = 20.0 // of titles
)

// A paper is a page with the writing functions of all pictures.
type paper struct{ *drawing.Page }

// newPaper returns a page with its title.
func newPaper(title string, width, height float64) paper {
	p := paper{&drawing.Page{Width: width, Height: height, Title: tables.Printable(title)}}
	p.write(margin, 26, titleFont.Fit(title, width-2*margin), titleFont, drawing.Start)
	return p
}

// write writes a text that is known to fit.
func (p paper) write(x, y float64, text string, font *drawing.Font, anchor drawing.Anchor) {
	p.Add(drawing.Label{X: x, Y: y, Text: text, Font: font, Anchor: anchor})
}

// below writes lines in small print below the title, as much of each as fits, and returns the place of
// the next one.
func (p paper) below(lines ...string) (y float64) { return p.lines(46, lines) }

// lines writes lines in small print from a place downwards.
func (p paper) lines(y float64, lines []string) float64 {
	for _, line := range lines {
		p.write(margin, y, mutedFont.Fit(line, p.Width-2*margin), mutedFont, drawing.Start)
		y += lineHeight
	}
	return y
}

// summary describes the size of a plan and its bound, which is zero if unknown.
func summary(total, bound int64) string {
	text := "total " + units.Bytes(total)
	switch bound {
	case total:
		return text + ", equal to the lower bound"
	case 0:
		return text
	}
	return text + ", lower bound " + units.Bytes(bound)
}

// A key is an entry of a legend.
type key struct {
	fill, words string
	// stroke is the look of a line shown instead of a colour, if any.
	stroke *drawing.Look
}

// keys writes a legend, as much of it as fits the line.
func (p paper) keys(x, y float64, list []key) {
	const swatch, line, gap = 12.0, 36.0, 14.0
	for _, k := range list {
		room := p.Width - margin - x
		w := swatch
		if k.stroke != nil {
			w = line
		}
		text := mutedFont.Fit(k.words, room-w-5)
		if text == "" {
			return
		}
		if k.stroke != nil {
			p.Line(x, y-4, x+w, y-4, k.stroke)
		} else {
			p.Add(drawing.Rect{X: x, Y: y - 10, W: swatch, H: swatch, Look: swatchLook, Fill: k.fill})
		}
		p.write(x+w+5, y, text, mutedFont, drawing.Start)
		x += w + 5 + mutedFont.Long(text) + gap
	}
}

// haloed writes a text on a background of any colour, within a length in pixels.
func (p paper) haloed(x, y float64, text string, anchor drawing.Anchor, room float64) {
	p.Add(drawing.Label{X: x, Y: y, Text: plainFont.Fit(text, room), Font: plainFont, Anchor: anchor, Halo: "#ffffff", HaloWidth: 3})
}

// byteGrid draws a line at each round number of bytes up to most, at most height above the bottom, and
// the y axis.
func (p paper) byteGrid(most float64, count int, bottom, height float64) {
	scale := units.CommonScale(int64(most))
	inUnits := most / float64(scale.Bytes)
	step := niceStep(inUnits, count)
	if scale.Bytes == 1 {
		step = math.Max(step, 1)
	}
	for i := 0; float64(i)*step <= inUnits; i++ {
		y := bottom - height*float64(i)*step/inUnits
		p.Line(left, y, p.Width-right, y, gridLook)
		p.write(left-8, y+4, humanize.Commaf(round(float64(i)*step))+" "+scale.Unit, plainFont, drawing.End)
	}
	p.Line(left, bottom-height, left, bottom, axisLook)
}

// scaleBelow draws the x axis of a quantity up to most, with a title.
func (p paper) scaleBelow(y, most float64, unit, words string, x func(float64) float64) {
	p.Line(left, y, p.Width-right, y, axisLook)
	step := niceStep(most, 12)
	for i := 0; float64(i)*step <= most; i++ {
		at, text := x(float64(i)*step), humanize.Commaf(round(float64(i)*step))+unit
		p.Line(at, y, at, y+4, axisLook)
		if half := plainFont.Long(text) / 2; at+half <= p.Width {
			p.write(at, y+18, text, plainFont, drawing.Middle)
		}
	}
	p.write((left+p.Width-right)/2, y+40, plainFont.Fit(words, p.Width-left-right), plainFont, drawing.Middle)
}

// tip returns the tooltip of a tensor.
func tip(name string, offset, size int64, when string) string {
	return fmt.Sprintf("%s\n%s at %#x..%#x%s", tables.Printable(name), units.Bytes(size), offset, offset+size, when)
}
