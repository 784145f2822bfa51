package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// breadth returns the most bytes that are in use at once while the nodes do as planned,
// about: without what is made of other pieces, and what comes in where it lies whole.
func (e *emitter) breadth(plans []plan) (most int64) {
	lives := e.live(plans)
	alive := int64(0)
	for i, n := range e.nodes {
		p := &plans[i]
		if !p.needed() || p.copied {
			continue
		}
		reads := n.read(p)
		for k, v := range reads {
			if !e.values[v].inside && !lives[v].begun && !e.within(v, p.ins[k]) {
				lives[v].begun, alive = true, plus(alive, lives[v].size)
			}
		}
		made := max(e.bytes(n.out, p.out.area()), lives[n.out].size)
		sum := plus(alive, made)
		if first := &lives[reads[0]]; first.begun && first.end == i && n.inPlace {
			sum -= min(first.size, made)
		}
		most = max(most, sum)
		lives[n.out].begun, alive = true, plus(alive, made)
		for _, v := range reads {
			if lives[v].begun && lives[v].end == i {
				lives[v].begun, alive = false, alive-lives[v].size
			}
		}
	}
	return most
}

// A life is that of a value while a piece is made.
type life struct {
	// end is the last node that reads it, and size the bytes of what is read of it.
	end  int
	size int64
	// begun says that it is alive.
	begun bool
}

// live returns the life of each value, which has not begun yet, until it is called again.
func (e *emitter) live(plans []plan) []life {
	lives := slices.Grow(e.lives[:0], len(e.values))[:len(e.values)]
	clear(lives)
	e.lives = lives
	for i := len(e.nodes) - 1; i >= 0; i-- {
		n, p := e.nodes[i], &plans[i]
		if !p.needed() {
			continue
		}
		for k, v := range n.read(p) {
			end := i
			if p.copied { // what is read is what comes out
				end = max(lives[n.out].end, i)
			}
			lives[v].end, lives[v].size = max(lives[v].end, end), max(lives[v].size, e.bytes(v, p.ins[k].area()))
		}
	}
	return lives
}

// within says whether a part of what comes into the stage needs no memory of its own.
func (e *emitter) within(v int, r region) bool {
	whole := e.values[v].whole()
	return r == whole || r.x == whole.x && e.shares()
}

// shares says whether strips may lie in what they are cut from and joined to.
func (e *emitter) shares() bool {
	return e.stage.Alias != rules.NoAlias && e.stage.Alias != ""
}

// beside returns what there is while the first piece is made, and how much more there is for
// each row of the output that a piece begins behind: the rows before it, and less of what
// comes into the stage, where that goes as it is read and is used nowhere else.
func (e *emitter) beside() (start, more int64) {
	out := &e.values[e.out]
	more = e.bytes(e.out, out.w)
	if !e.stage.Alias.Overwrites() {
		return 0, more
	}
	for v := range e.values {
		in := &e.values[v]
		if !in.inside && !e.constant(in.tensor) && e.leaves(in.tensor) == "" {
			bytes := e.bytes(v, in.whole().area())
			start, more = plus(start, bytes), more-bytes/out.h
		}
	}
	return start, more
}
