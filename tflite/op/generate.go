package op

import (
	"math"

	"github.com/tflarena/tflarena/schema"
)

// Operators that generate numbers from shapes and parameters.

// fill has its shape in input 0 and its value in input 1.
var fill = facts{params: []int{0}, shapes: single(func(n node) []int64 { return n.ints(0) })}

// zerosLike reads only the shape.
var zerosLike = facts{shapes: like(0)}

// shapeOfInput is SHAPE, rank is RANK.
var (
	shapeOfInput = facts{shapes: single(func(n node) []int64 {
		t := n.input(0)
		if !hasRank(t) {
			n.lack("the number of dimensions of its input 0 is not known")
		}
		return []int64{int64(len(t.Shape))}
	})}
	rank = facts{shapes: scalars(1)}
)

// sequence is RANGE, from a start to a limit by a step.
var sequence = facts{params: []int{0, 1, 2}, shapes: single(func(n node) []int64 {
	start, limit, step := n.number(0), n.number(1), n.number(2)
	switch {
	case step == 0 || max(start, limit) > math.MaxInt32 || min(start, limit) < math.MinInt32:
		n.fail("it goes from %d to %d by %d", start, limit, step)
	case step < 0:
		start, limit, step = -start, -limit, -n.smallNumber(step)
	}
	return []int64{ceilDiv(max(limit-start, 0), n.smallNumber(step))}
})}

// random draws from a generator, which has a state. multinomial draws as many samples per row
// as input 1 requests.
var (
	random      = facts{effects: true, params: []int{0}, shapes: single(func(n node) []int64 { return n.ints(0) })}
	multinomial = facts{effects: true, params: []int{1}, shapes: single(func(n node) []int64 {
		return []int64{n.shapeOf(0, 2)[0], n.number(1)}
	})}
	stableRandom = facts{effects: true}
)

// lshProjection makes one number of all bits of a hash, or one per bit.
var lshProjection = facts{shapes: single(func(n node) []int64 {
	var o schema.LSHProjectionOptions
	n.options(schema.BuiltinOptionsLSHProjectionOptions, &o)
	hash := n.shapeOf(0, 2)
	switch o.Type() {
	case schema.LSHProjectionTypeSPARSE:
		return hash[:1]
	case schema.LSHProjectionTypeDENSE:
		return []int64{hash[0] * hash[1]}
	}
	n.lack("it projects in a way that is not known")
	return nil
})}

// dilate spaces the elements of its input by the steps in input 1.
var dilate = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		out, by := n.shape(0), n.ints(1)
		if len(by) != len(out) {
			n.fail("it has %d numbers for %d dimensions", len(by), len(out))
		}
		for i := range out {
			if n.smallNumber(by[i]) < 1 {
				n.fail("it is dilated by %d", by[i])
			}
			out[i] = max((out[i]-1)*by[i]+1, 0)
		}
		return out
	}),
	reads: reader{Scaled, func(n node, _ int) []Region {
		r, by := n.readWhole(0), n.ints(1)
		for i := range r {
			if i >= len(by) || n.smallNumber(by[i]) < 1 {
				n.fail("it is dilated by nothing")
			}
			// A position between two elements reads none; the region includes at most the
			// element before.
			r[i] = Axis{Of: i, In: r[i].In, Stride: 1, Scale: by[i]}
		}
		return []Region{r}
	}},
}
