package route

import (
	"container/heap"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// walk is one search of a router.
type walk struct {
	router *Router
	price  func(p *parts.Part) float64
	open   steps
	closed map[stop]bool
	serial int
}

// run returns the first step that reaches the end of the row, or nil.
func (w *walk) run() *step {
	r := w.router
	w.push(step{stop: stop{at: 0, place: inplace.Anywhere}, hoped: r.rest[0]})
	for w.open.Len() > 0 && r.left > 0 && deadline.Err(r.ctx) == nil {
		s := heap.Pop(&w.open).(*step)
		switch {
		case s.toTry:
			w.try(s)
		case w.closed[s.stop]:
		case s.at == r.row().Len():
			return s
		default:
			w.leave(s)
		}
	}
	return nil
}

func (w *walk) push(s step) {
	w.serial++
	s.serial = w.serial
	heap.Push(&w.open, &s)
}

// leave opens the parts from a stop, none of them tried yet.
func (w *walk) leave(s *step) {
	r := w.router
	w.closed[s.stop] = true
	for _, k := range r.next[s.at] {
		p := &r.links.parts[k]
		w.push(step{stop: s.stop, known: s.known, hoped: s.known + w.price(p) + r.rest[p.To], part: k, toTry: true, from: s})
	}
}

// try plans a part with some offsets of its handed-on tensor and opens the stops it reaches.
// The remaining offsets are tried when nothing else is as cheap.
func (w *walk) try(s *step) {
	r := w.router
	if !r.alone(s.part) {
		return
	}
	p, outs := &r.links.parts[s.part], r.places(s.part)
	if more := s.first + together; more < len(outs) {
		again := *s
		again.first = more
		w.push(again)
	}
	for _, place := range r.plan(s.part, s.place, outs[s.first:min(s.first+together, len(outs))]) {
		next := stop{at: p.To, place: place}
		if place != misfit && !w.closed[next] {
			w.push(step{stop: next, known: s.known + w.price(p), hoped: s.hoped, part: s.part, from: s.from})
		}
	}
}
