package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// breadth returns the approximate peak of live bytes while the nodes execute plans, excluding
// the output of other tiles and inputs that are whole.
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
			if !e.values[v].inside && !lives[v].live && !e.within(v, p.ins[k]) {
				lives[v].live, alive = true, saturatingAdd(alive, lives[v].size)
			}
		}
		made := max(e.bytes(n.out, p.out.area()), lives[n.out].size)
		sum := saturatingAdd(alive, made)
		if first := &lives[reads[0]]; first.live && first.end == i && n.inPlace {
			sum -= min(first.size, made)
		}
		most = max(most, sum)
		lives[n.out].live, alive = true, saturatingAdd(alive, made)
		for _, v := range reads {
			if lives[v].live && lives[v].end == i {
				lives[v].live, alive = false, alive-lives[v].size
			}
		}
	}
	return most
}

// life is the live range of a value while a tile is computed.
type life struct {
	// end is the last node that reads the value, size the bytes read of it.
	end  int
	size int64
	// live marks a value that is live.
	live bool
}

// live returns the live range of each value, none begun yet. The result is valid until the next
// call.
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
			if p.copied { // the output is the input
				end = max(lives[n.out].end, i)
			}
			lives[v].end, lives[v].size = max(lives[v].end, end), max(lives[v].size, e.bytes(v, p.ins[k].area()))
		}
	}
	return lives
}

// within reports whether a region of a stage input needs no memory of its own.
func (e *emitter) within(v int, r region) bool {
	whole := e.values[v].whole()
	return r == whole || r.x == whole.x && e.shares()
}

// shares reports whether strips may lie inside the tensors they are cut from or joined into.
func (e *emitter) shares() bool {
	return e.stage.Alias != rules.NoAlias && e.stage.Alias != ""
}

// otherBytes returns the bytes in use in addition to the first tile, and the increase for each
// output row before a tile's start: finished rows, minus the rows of stage inputs that are
// freed as they are read, if nothing else uses them.
func (e *emitter) otherBytes() (start, more int64) {
	out := &e.values[e.out]
	more = e.bytes(e.out, out.w)
	if !e.stage.Alias.Overwrites() {
		return 0, more
	}
	for v := range e.values {
		in := &e.values[v]
		if !in.inside && !e.constant(in.tensor) && e.usedOutside(in.tensor) == "" {
			bytes := e.bytes(v, in.whole().area())
			start, more = saturatingAdd(start, bytes), more-bytes/out.h
		}
	}
	return start, more
}
