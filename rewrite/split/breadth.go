package split

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// breadth returns the most bytes that are in use at once while the nodes do as planned,
// about: without what is made of other pieces, and what comes in where it lies whole.
func (e *emitter) breadth(plans []*plan) (most int64) {
	ends, size := e.ends(plans)
	alive := int64(0)
	begun := map[int]bool{}
	for i, n := range e.nodes {
		p := plans[i]
		if p == nil || p.copied {
			continue
		}
		reads := n.read(*p)
		for k, v := range reads {
			if !e.values[v].inside && !begun[v] && !e.within(v, p.ins[k]) {
				begun[v], alive = true, plus(alive, size[v])
			}
		}
		made := max(e.bytes(n.out, p.out.area()), size[n.out])
		sum := plus(alive, made)
		if v := reads[0]; begun[v] && ends[v] == i && e.inPlace(n) {
			sum -= min(size[v], made)
		}
		most = max(most, sum)
		begun[n.out], alive = true, plus(alive, made)
		for _, v := range reads {
			if begun[v] && ends[v] == i {
				begun[v], alive = false, alive-size[v]
			}
		}
	}
	return most
}

// ends returns the last node that reads each value, and the bytes of what is read of it.
func (e *emitter) ends(plans []*plan) (ends map[int]int, size map[int]int64) {
	ends, size = map[int]int{}, map[int]int64{}
	for i := len(e.nodes) - 1; i >= 0; i-- {
		n, p := e.nodes[i], plans[i]
		if p == nil {
			continue
		}
		for k, v := range n.read(*p) {
			end := i
			if p.copied { // what is read is what comes out
				end = max(ends[n.out], i)
			}
			ends[v], size[v] = max(ends[v], end), max(size[v], e.bytes(v, p.ins[k].area()))
		}
	}
	return ends, size
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

// inPlace says whether what a node makes may lie over what it reads first.
func (e *emitter) inPlace(n *node) bool {
	code, _ := edit.Pad.Builtin()
	if n.operator != nil {
		code = e.code(n.Operator)
	}
	return e.stage.Alias.InPlace(code)
}

// beside returns what there is while the first piece is made, and how much more there is for
// each row of the output that a piece begins behind: the rows before it, and less of what
// comes into the stage, where that goes as it is read and is used nowhere else.
func (e *emitter) beside() (start, more int64) {
	out := e.values[e.out]
	more = e.bytes(e.out, out.w)
	if !e.stage.Alias.Overwrites() {
		return 0, more
	}
	for v, in := range e.values {
		if !in.inside && v < len(e.sub.Tensors) && !e.constant(v) && e.leaves(v) == "" {
			bytes := e.bytes(v, in.whole().area())
			start, more = plus(start, bytes), more-bytes/out.h
		}
	}
	return start, more
}
