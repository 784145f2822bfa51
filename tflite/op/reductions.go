package op

import "github.com/tflarena/tflarena/schema"

// Reductions compute one element from all elements along some dimensions; related operators
// read all of them for each element.

// reduction has the reduced dimensions in input 1.
var reduction = facts{
	params: []int{1},
	shapes: single(func(n node) (out []int64) {
		gone, keep := n.axes(n.ints(1), len(n.shape(0))), n.keepsDims()
		for i, d := range n.shape(0) {
			switch {
			case !gone[i]:
				out = append(out, d)
			case keep:
				out = append(out, 1)
			}
		}
		return out
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		r, of := n.readWhole(0), 0
		gone, keep := n.axes(n.ints(1), len(r)), n.keepsDims()
		for i := range r {
			if !gone[i] {
				r[i] = same(of, r[i].In)
			}
			if !gone[i] || keep {
				of++
			}
		}
		return []Region{r}
	}},
}

func (n node) keepsDims() bool {
	var o schema.ReducerOptions
	n.options(schema.BuiltinOptionsReducerOptions, &o)
	return o.KeepDims()
}

// argument is ARG_MAX and ARG_MIN: the index of an element along the dimension in input 1.
var argument = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		in := n.ranked(0, 1)
		return without(in, n.axis(n.number(1), len(in)))
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		r, of := n.readWhole(0), 0
		axis := n.axis(n.number(1), len(r))
		for i := range r {
			if i != axis {
				r[i] = same(of, r[i].In)
				of++
			}
		}
		return []Region{r}
	}},
}

// stableReduce has the reduced dimensions in its options, and an initial value per input.
var stableReduce = facts{
	shapes: func(n node) (list [][]int64) {
		var o schema.StablehloReduceOptions
		n.options2(schema.BuiltinOptions2StablehloReduceOptions, &o)
		numbers := n.list(o.DimensionsLength(), o.Dimensions)
		for position := range len(n.op.Inputs) / 2 {
			in := n.shape(position)
			var out []int64
			for i, gone := range n.axes(numbers, len(in)) {
				if !gone {
					out = append(out, in[i])
				}
			}
			list = append(list, out)
		}
		return list
	},
}

// rowwise reads all elements along the last dimension: LOG_SOFTMAX and norms.
var rowwise = facts{
	shapes: like(0),
	reads:  reader{Same, func(n node, _ int) []Region { return n.readAcross(len(n.extents(0)) - 1) }},
}

// softmax is SOFTMAX, which reads the channels of one position.
var softmax = rowwise.inPieces(1)

// cumulative reads along the dimension in input 1: CUMSUM.
var cumulative = facts{
	params: []int{1},
	shapes: like(0),
	reads: reader{Same, func(n node, _ int) []Region {
		return n.readAcross(n.axis(n.number(1), len(n.extents(0))))
	}},
}

// reverse reverses the dimensions in input 1.
var reverse = facts{
	params: []int{1},
	shapes: like(0),
	reads: reader{Shifted, func(n node, _ int) []Region {
		in, r := n.shape(0), Region{}
		for i, turned := range n.axes(n.ints(1), len(in)) {
			if turned {
				r = append(r, shifted(i, in[i], in[i]-1, -1))
			} else {
				r = append(r, same(i, in[i]))
			}
		}
		return []Region{r}
	}},
}

// reverseSequence reverses a prefix along one dimension; input 1 holds the length for each
// index along another one.
var reverseSequence = facts{
	shapes: like(0),
	reads: reader{Same, func(n node, _ int) []Region {
		var o schema.ReverseSequenceOptions
		n.options(schema.BuiltinOptionsReverseSequenceOptions, &o)
		return n.readAcross(n.axis(int64(o.SeqDim()), len(n.extents(0))))
	}},
}

// topK is the largest elements along the last dimension, as many as input 1 requests, and their
// indexes.
var topK = facts{
	multipleOutputs: true,
	params:          []int{1},
	shapes: func(n node) [][]int64 {
		in := n.ranked(0, 1)
		k := n.number(1)
		if k < 0 || k > in[len(in)-1] {
			n.fail("there are no %d largest of %d elements", k, in[len(in)-1])
		}
		out := with(in, len(in)-1, k)
		return [][]int64{out, out}
	},
	reads: reader{Same, func(n node, _ int) []Region { return n.readAcross(len(n.extents(0)) - 1) }},
}

// readAcross reads all elements along one axis, and the same position along the others.
func (n node) readAcross(axis int) []Region {
	r := n.readWhole(0)
	for i := range r {
		if i != axis {
			r[i] = same(i, r[i].In)
		}
	}
	return []Region{r}
}

// sorted is STABLEHLO_SORT: it permutes each input along one dimension.
var sorted = facts{multipleOutputs: true, shapes: func(n node) (list [][]int64) {
	for position := range n.op.Inputs {
		list = append(list, n.shape(position))
	}
	return list
}}

// segments combines rows, for example by adding, into the segments numbered by input 1; input 2
// is the number of segments.
var segments = facts{
	params: []int{2},
	shapes: single(func(n node) []int64 {
		in, ids := n.shape(0), n.shape(1)
		if len(ids) > len(in) {
			n.fail("%d dimensions are numbered of %d", len(ids), len(in))
		}
		n.equal(in[:len(ids)], ids)
		return joined([]int64{n.number(2)}, in[len(ids):])
	}),
}

// fourier is RFFT2D: input 1 holds the lengths of the last two dimensions. Only half of the
// last one is output, because the rest is symmetric.
var fourier = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		out, length := n.ranked(0, 2), n.ints(1)
		if len(length) != 2 || length[0] < 1 || length[1] < 1 {
			n.fail("its lengths are %v", length)
		}
		out[len(out)-2], out[len(out)-1] = length[0], length[1]/2+1
		return out
	}),
}
