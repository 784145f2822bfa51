package op

import "golang.org/x/exp/slices"

// Element-wise operators compute each output element from the input elements at the same
// position.

// Operators of two and three inputs broadcast dimensions of 1.
var (
	ofOne   = facts{arity: 1, shapes: like(0), reads: places}
	ofTwo   = facts{arity: 2, shapes: single(func(n node) []int64 { return n.broadcast(0, 1) }), reads: places}
	ofThree = facts{arity: 3, shapes: single(func(n node) []int64 { return n.broadcast(0, 1, 2) }), reads: places}
)

// Kinds that tests in both runtimes computed in tiles with the same result.
var (
	ofOneInPieces = ofOne.inPieces(1)
	ofTwoInPieces = ofTwo.inPieces(2)
)

// inPieces returns the facts of a kind that [Points] includes.
func (f facts) inPieces(inputs int) facts {
	f.points = inputs
	return f
}

// addN adds any number of tensors of one shape.
var addN = facts{arity: AnyNumber, shapes: single(func(n node) []int64 { return n.sharedShape(len(n.op.Inputs)) }), reads: places}

// StableHLO operators do not broadcast.
var (
	stableOfOne = facts{arity: 1, shapes: like(0), reads: places}
	stableOfTwo = facts{arity: 2, shapes: single(func(n node) []int64 { return n.sharedShape(2) }), reads: places}
)

// choose is SELECT. Its condition is a scalar, has one value per row, or has the shape of the
// others.
var choose = facts{
	arity: 3,
	shapes: single(func(n node) []int64 {
		if len(n.shape(0)) > 1 {
			return n.sharedShape(3)
		}
		return n.equal(n.shape(1), n.shape(2))
	}),
	reads: reader{Same, func(n node, output int) []Region {
		list := n.inPlace(output)
		if len(list) > 0 && len(list[0]) == 1 && len(n.output(output).Shape) > 1 {
			list[0] = n.along(0, 0, 0)
		}
		return list
	}},
}

// clamp has a minimum, an operand and a maximum, stableSelect a condition and two operands:
// scalars, or of the operand's shape.
var (
	clamp        = facts{arity: 3, shapes: like(1), reads: places}
	stableSelect = facts{arity: 3, shapes: single(func(n node) []int64 { return n.equal(n.shape(1), n.shape(2)) }), reads: places}
)

// found is HASHTABLE_FIND: a table, keys, and a default for missing keys.
var found = facts{effects: true, shapes: like(1), reads: reader{Same, func(n node, _ int) []Region {
	r := n.readWhole(1)
	for i := range r {
		r[i] = n.along(1, i, i)[i]
	}
	return []Region{n.readWhole(0), r, n.readWhole(2)}
}}}

// places reads each element at the same position.
var places = reader{Same, func(n node, output int) []Region { return n.inPlace(output) }}

// inPlace reads all inputs at the positions of an output: their last dimensions equal the
// output's, or 1.
func (n node) inPlace(output int) []Region {
	out := n.output(output).Shape
	list := n.wholeRegions()
	for _, r := range list {
		before := len(out) - len(r)
		for i := range r {
			if of := before + i; of >= 0 && r[i].In != 1 && r[i].In == int64(out[of]) {
				r[i] = same(of, r[i].In)
			}
		}
	}
	return list
}

// broadcast returns the common shape of some inputs: aligned from the last dimension, equal or
// 1.
func (n node) broadcast(positions ...int) (out []int64) {
	for _, position := range positions {
		out = n.spread(out, n.shape(position))
	}
	return out
}

// spread returns the broadcast shape of two operands.
func (n node) spread(a, b []int64) []int64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	out, before := slices.Clone(a), len(a)-len(b)
	for i, d := range b {
		switch e := &out[before+i]; {
		case *e == 1:
			*e = d
		case d != 1 && d != *e:
			n.fail("the shapes %v and %v do not go together", a, b)
		}
	}
	return out
}

// sharedShape returns the shape shared by the first count inputs.
func (n node) sharedShape(count int) []int64 {
	out := n.shape(0)
	for position := 1; position < count; position++ {
		n.equal(out, n.shape(position))
	}
	return out
}

// equal returns the shape of two shapes that must be equal.
func (n node) equal(a, b []int64) []int64 {
	if !slices.Equal(a, b) {
		n.fail("the shapes %v and %v are not equal", a, b)
	}
	return a
}
