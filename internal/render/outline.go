package render

import (
	"image"
	"math"

	"github.com/tflarena/tflarena/internal/drawing"
)

// An outline is the border of areas, in pixels of the page.
type outline []step

// A step of an outline ends in the last of its places; the ones before are the control points of a
// curve.
type step struct {
	kind stepKind
	at   [3]drawing.Point
}

type stepKind byte

const (
	move stepKind = iota
	line
	curve  // of two places
	cubic  // of three
	closed // back to the last move, without a place
)

// places returns the number of places of a kind of step.
func (k stepKind) places() int { return [...]int{1, 1, 2, 3, 0}[k] }

// bounds returns the pixels that an outline may touch.
func (o outline) bounds(scale float64) image.Rectangle {
	x1, y1, x2, y2 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range o {
		for _, p := range s.at[:s.kind.places()] {
			x1, y1, x2, y2 = min(x1, p.X), min(y1, p.Y), max(x2, p.X), max(y2, p.Y)
		}
	}
	if x1 > x2 {
		return image.Rectangle{}
	}
	const far = 1 << 24 // larger than any image
	pixel := func(v float64) int { return int(min(max(v*scale, -far), far)) }
	return image.Rect(pixel(math.Floor(x1))-1, pixel(math.Floor(y1))-1, pixel(math.Ceil(x2))+1, pixel(math.Ceil(y2))+1)
}

func polygon(points []drawing.Point) (o outline) {
	for i, p := range points {
		s := step{kind: line, at: [3]drawing.Point{p}}
		if i == 0 {
			s.kind = move
		}
		o = append(o, s)
	}
	return append(o, step{kind: closed})
}

// disc returns the border of a circle, as four curves.
func disc(c drawing.Circle) outline {
	const round = 0.5522847498 // distance of the control points of a quarter circle
	point := func(x, y float64) drawing.Point { return drawing.Point{X: c.X + x*c.R, Y: c.Y + y*c.R} }
	o := outline{{kind: move, at: [3]drawing.Point{point(1, 0)}}}
	x, y := 1.0, 0.0
	for range 4 {
		x1, y1 := -y, x
		o = append(o, step{kind: cubic, at: [3]drawing.Point{point(x+round*x1, y+round*y1), point(x1+round*x, y1+round*y), point(x1, y1)}})
		x, y = x1, y1
	}
	return append(o, step{kind: closed})
}

// backwards reverses a closed curve, which cuts its area out of another one.
func backwards(o outline) (b outline) {
	last := o[0].at[0]
	for _, s := range o[1:] {
		if n := s.kind.places(); n > 0 {
			s.at[n-1], last = last, s.at[n-1]
			if n == 3 {
				s.at[0], s.at[1] = s.at[1], s.at[0]
			}
			b = append(outline{s}, b...)
		}
	}
	return append(append(outline{{kind: move, at: [3]drawing.Point{last}}}, b...), step{kind: closed})
}

// stroked returns the outline of a line of a width through places. Dash are the lengths of strokes and
// gaps.
func stroked(points []drawing.Point, width float64, dash []float64) (o outline) {
	pen := pen{half: width / 2, dash: dash}
	for i := 1; i < len(points); i++ {
		o = append(o, pen.line(points[i-1], points[i], i > 1, i < len(points)-1)...)
	}
	return o
}

// A pen draws a line segment by segment.
type pen struct {
	half float64 // the width
	dash []float64
	done float64 // the length drawn
}

// line draws a segment. Without gaps it extends into the adjacent segments before and behind, so that
// corners are filled.
func (p *pen) line(a, b drawing.Point, before, behind bool) (o outline) {
	long := math.Hypot(b.X-a.X, b.Y-a.Y)
	if long == 0 {
		return nil
	}
	ux, uy := (b.X-a.X)/long, (b.Y-a.Y)/long
	bar := func(from, to float64) {
		x1, y1, x2, y2 := a.X+ux*from, a.Y+uy*from, a.X+ux*to, a.Y+uy*to
		nx, ny := -uy*p.half, ux*p.half
		o = append(o, polygon([]drawing.Point{{X: x1 + nx, Y: y1 + ny}, {X: x2 + nx, Y: y2 + ny}, {X: x2 - nx, Y: y2 - ny}, {X: x1 - nx, Y: y1 - ny}})...)
	}
	if len(p.dash) == 0 {
		from, to := 0.0, long
		if before {
			from -= p.half
		}
		if behind {
			to += p.half
		}
		bar(from, to)
		return o
	}
	for at := 0.0; at < long; {
		length, drawn := p.dashAt(p.done)
		if drawn {
			bar(at, min(at+length, long))
		}
		p.done += min(length, long-at)
		at += length
	}
	return o
}

// dashAt returns the rest of the current stroke or gap, and which of them it is.
func (p *pen) dashAt(done float64) (left float64, drawn bool) {
	period := 0.0
	for _, length := range p.dash {
		period += length
	}
	const least = 1e-6
	at := math.Mod(done, period)
	for i, length := range p.dash {
		if at < length-least {
			return length - at, i%2 == 0
		}
		at -= length
	}
	return p.dash[0], true
}
