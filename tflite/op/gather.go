package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Operators that read or write elements at indexes given by another input.

// gather takes slices along a dimension, indexed by input 1. The leading batch dimensions of
// both inputs are paired.
var gather = facts{
	shapes: single(func(n node) []int64 {
		in, indices := n.ranked(0, 1), n.shape(1)
		axis, batches := n.gathered(len(in), len(indices))
		n.equal(in[:batches], indices[:batches])
		return joined(in[:axis], indices[batches:], in[axis+1:])
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		r, indices := n.readWhole(0), n.readWhole(1)
		axis, batches := n.gathered(len(r), len(indices))
		for i := range indices {
			of := i
			if i >= batches {
				of += axis - batches
			}
			indices[i] = same(of, indices[i].In)
		}
		for i := range r {
			switch {
			case i < axis:
				r[i] = same(i, r[i].In)
			case i > axis:
				r[i] = same(i-1+len(indices)-batches, r[i].In)
			}
		}
		return []Region{r, indices}
	}},
}

// gathered returns the axis of GATHER and its number of batch dimensions.
func (n node) gathered(rank, indices int) (axis, batches int) {
	var o schema.GatherOptions
	n.options(schema.BuiltinOptionsGatherOptions, &o)
	axis, batches = n.axis(int64(o.Axis()), rank), int(o.BatchDims())
	if batches < 0 {
		batches += indices
	}
	if batches < 0 || batches > indices || batches > axis {
		n.fail("%d dimensions do not pair up", batches)
	}
	return axis, batches
}

// gatherND takes slices indexed by the last dimension of input 1.
var gatherND = facts{
	shapes: single(func(n node) []int64 {
		in, indices := n.shape(0), n.ranked(1, 1)
		named := indices[len(indices)-1]
		if named > int64(len(in)) {
			n.fail("%d dimensions are named of %d", named, len(in))
		}
		return joined(indices[:len(indices)-1], in[named:])
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		indices := n.readWhole(1)
		for i := range max(len(indices)-1, 0) {
			indices[i] = same(i, indices[i].In)
		}
		return []Region{n.readWhole(0), indices}
	}},
}

// scatterND writes slices into zeros; input 2 is the shape.
var scatterND = facts{params: []int{2}, shapes: single(func(n node) []int64 { return n.ints(2) })}

// sparseToDense writes values into a default; input 1 is the shape.
var sparseToDense = facts{params: []int{1}, shapes: single(func(n node) []int64 { return n.ints(1) })}

// update is its first input with another one written into it.
var update = facts{shapes: like(0), reads: reader{Same, func(n node, _ int) []Region { return n.readAcross(-1) }}}

// stableScatter writes as many updates as it has inputs, at indexes given by one input between
// the two groups.
var stableScatter = facts{multipleOutputs: true, shapes: func(n node) (list [][]int64) {
	for position := range (len(n.op.Inputs) - 1) / 2 {
		list = append(list, n.shape(position))
	}
	return list
}}

// matrixDiag puts vectors on diagonals, and matrixSetDiag replaces diagonals of its input.
var (
	matrixDiag = facts{
		shapes: single(func(n node) []int64 {
			in := n.ranked(0, 1)
			return append(in, in[len(in)-1])
		}),
		reads: reader{Same, func(n node, _ int) []Region { return n.readAcross(-1) }},
	}
	matrixSetDiag = facts{shapes: like(0), reads: reader{Same, func(n node, _ int) []Region { return n.readAcross(-1) }}}
)

// oneHot adds a dimension of the size in input 1 to input 0.
var oneHot = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		in := n.shape(0)
		return slices.Insert(in, n.oneHotAxis(len(in)), n.number(1))
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		return []Region{n.except(0, []int{n.oneHotAxis(len(n.extents(0)))})}
	}},
}

func (n node) oneHotAxis(rank int) int {
	var o schema.OneHotOptions
	n.options(schema.BuiltinOptionsOneHotOptions, &o)
	return n.axis(int64(o.Axis()), rank+1)
}

// suppression is NON_MAX_SUPPRESSION: up to as many indexes as input 2 allows, in the soft
// variant their scores too, and their number.
func suppression(soft bool) facts {
	return facts{params: []int{2}, shapes: func(n node) [][]int64 {
		places := []int64{n.number(2)}
		if soft {
			return [][]int64{places, places, nil}
		}
		return [][]int64{places, nil}
	}}
}
