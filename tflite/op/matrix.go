package op

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Matrix products: each output value is the inner product of two vectors.

// fullyConnected has weights [units, depth], for any rank of its input and output.
var fullyConnected = facts{
	shapes: single(func(n node) []int64 {
		in, weights := n.shape(0), n.shapeOf(1, 2)
		units, depth := weights[0], weights[1]
		var o schema.FullyConnectedOptions
		n.options(schema.BuiltinOptionsFullyConnectedOptions, &o)
		switch {
		case depth == 0 || product(in)%depth != 0:
			n.fail("weights of the shape %v do not fit %v", weights, in)
		case !o.KeepNumDims():
			return []int64{product(in) / depth, units}
		case len(in) == 0 || in[len(in)-1] != depth:
			n.fail("weights of the shape %v do not fit %v", weights, in)
		}
		return with(in, len(in)-1, units)
	}),
	macs: func(n node) Count { return per(Outputs, n.output(0), last(n.input(1))) },
	reads: reader{Same, func(n node, _ int) []Region {
		in, out := n.readWhole(0), len(n.output(0).Shape)
		switch {
		case n.hybrid():
		case len(in) == out:
			for i := range out - 1 {
				in[i] = n.along(0, i, i)[i]
			}
		case out > 0 && len(in) > 0 && in[len(in)-1].In == n.shapeOf(1, 2)[1]: // its rows are the vectors of the input, in order
			in[:len(in)-1].digits(n.output(0).Shape[:out-1])
		}
		return []Region{in, n.along(1, 0, out-1), n.along(2, 0, out-1)}
	}},
}

// batchMatMul sums over the last dimension of its first input, or the one before with adj_x.
var batchMatMul = facts{
	shapes: single(func(n node) []int64 {
		x, y := n.ranked(0, 2), n.ranked(1, 2)
		adjX, adjY := n.adjoint()
		rows, depth := sides(x, adjX)
		other, columns := sides(y, adjY)
		if depth != other {
			n.fail("the shapes %v and %v have no depth in common", x, y)
		}
		return joined(n.spread(x[:len(x)-2], y[:len(y)-2]), []int64{rows, columns})
	}),
	macs: func(n node) Count {
		x := n.input(0)
		if x == nil || len(x.Shape) < 2 {
			return Count{}
		}
		depth := len(x.Shape) - 1
		if adjX, _ := n.adjoint(); adjX {
			depth--
		}
		return per(Outputs, n.output(0), size(x.Shape[depth]))
	},
	reads: reader{Same, func(n node, output int) []Region {
		list, out := n.inPlace(output), len(n.output(output).Shape)
		if len(list) != 2 || len(list[0]) < 2 || len(list[1]) < 2 || n.hybrid() {
			n.fail("its inputs are no matrices")
		}
		adjX, adjY := n.adjoint()
		matrix(list[0], adjX, out-2, -1)
		matrix(list[1], adjY, -1, out-1)
		return list
	}},
}

func (n node) adjoint() (x, y bool) {
	var o schema.BatchMatMulOptions
	return n.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o) && o.AdjX(),
		n.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o) && o.AdjY()
}

// sides returns the rows and columns of a matrix, swapped if turned.
func sides(shape []int64, turned bool) (rows, columns int64) {
	rows, columns = shape[len(shape)-2], shape[len(shape)-1]
	if turned {
		return columns, rows
	}
	return rows, columns
}

// matrix sets the axes of the output that rows and columns follow; -1 reads them whole.
func matrix(r Region, turned bool, rows, columns int) {
	y, x := len(r)-2, len(r)-1
	if turned {
		y, x = x, y
	}
	for axis, of := range map[int]int{y: rows, x: columns} {
		if r[axis] = whole(r[axis].In); of >= 0 {
			r[axis] = same(of, r[axis].In)
		}
	}
}

// dotGeneral has the contracting and the batch dimensions in its options.
var dotGeneral = facts{
	shapes: single(func(n node) []int64 {
		var o schema.StablehloDotGeneralOptions
		n.options2(schema.BuiltinOptions2StablehloDotGeneralOptions, &o)
		x, y := n.shape(0), n.shape(1)
		batch := n.list(o.LhsBatchingDimensionsLength(), o.LhsBatchingDimensions)
		var out []int64
		for _, d := range batch {
			out = append(out, x[n.axis(d, len(x))])
		}
		goneX := n.axes(append(batch, n.list(o.LhsContractingDimensionsLength(), o.LhsContractingDimensions)...), len(x))
		goneY := n.axes(append(n.list(o.RhsBatchingDimensionsLength(), o.RhsBatchingDimensions), n.list(o.RhsContractingDimensionsLength(), o.RhsContractingDimensions)...), len(y))
		return joined(out, remainingDims(x, goneX), remainingDims(y, goneY))
	}),
	macs: func(n node) Count {
		var o schema.StablehloDotGeneralOptions
		x := n.input(0)
		if x == nil || !n.op.Options2(schema.BuiltinOptions2StablehloDotGeneralOptions, &o) {
			return Count{}
		}
		var summed []int32
		for i := range o.LhsContractingDimensionsLength() {
			d := o.LhsContractingDimensions(i)
			if d < 0 || d >= int64(len(x.Shape)) || i >= len(x.Shape) {
				return Count{}
			}
			summed = append(summed, x.Shape[d])
		}
		return per(Outputs, n.output(0), size(summed...))
	},
}

// remainingDims returns the dimensions that remain.
func remainingDims(shape []int64, gone []bool) (out []int64) {
	for i, d := range shape {
		if !gone[i] {
			out = append(out, d)
		}
	}
	return out
}

// embeddingLookup takes rows of its second input, indexed by its first.
var embeddingLookup = facts{
	shapes: single(func(n node) []int64 {
		return joined(n.shapeOf(0, 1), n.ranked(1, 1)[1:])
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		rows := n.readWhole(1)
		for i := 1; i < len(rows); i++ {
			rows[i] = same(i, rows[i].In)
		}
		return []Region{n.along(0, 0, 0), rows}
	}},
}

// hashtableLookup takes the rows of input 2 whose keys, in input 1, occur in input 0, and
// reports which ones exist.
var hashtableLookup = facts{shapes: func(n node) [][]int64 {
	keys := n.shapeOf(0, 1)
	return [][]int64{joined(keys, n.ranked(2, 1)[1:]), slices.Clone(keys)}
}}

// embeddingLookupSparse adds weighted rows of its last input, one per element of its first.
var embeddingLookupSparse = facts{macs: func(n node) Count {
	rows := n.input(4)
	if rows == nil || len(rows.Shape) < 1 {
		return Count{}
	}
	return per(Lookups, n.input(0), size(rows.Shape[1:]...))
}}

// signalFilterBank sums the product of each weight, and each unweight, and an energy.
var signalFilterBank = facts{macs: func(n node) Count {
	return once(plus(elements(n.input(1)), elements(n.input(2))))
}}
