package op

import "github.com/tflarena/tflarena/schema"

// Operators that permute dimensions.

// transpose maps dimension perm[i] of its input to dimension i.
var transpose = facts{
	params: []int{1},
	shapes: single(func(n node) []int64 {
		in := n.shape(0)
		return permuted(in, n.permutation(n.ints(1), len(in)))
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		in := n.extents(0)
		return []Region{transposedReads(in, n.permutation(n.ints(1), len(in)))}
	}},
}

// stableTranspose has the permutation in its options.
var stableTranspose = facts{
	shapes: single(func(n node) []int64 {
		in := n.shape(0)
		return permuted(in, n.permutation(n.permutationOption(), len(in)))
	}),
	reads: reader{Same, func(n node, _ int) []Region {
		in := n.extents(0)
		return []Region{transposedReads(in, n.permutation(n.permutationOption(), len(in)))}
	}},
}

func (n node) permutationOption() []int64 {
	var o schema.StablehloTransposeOptions
	n.options2(schema.BuiltinOptions2StablehloTransposeOptions, &o)
	return n.list(o.PermutationLength(), o.Permutation)
}

// permutation returns numbers that must be a permutation of all dimensions.
func (n node) permutation(numbers []int64, rank int) []int {
	if len(numbers) != rank {
		n.fail("%d dimensions are put in an order of %d", rank, len(numbers))
	}
	list, seen := make([]int, rank), make([]bool, rank)
	for i, number := range numbers {
		list[i] = n.axis(number, rank)
		if seen[list[i]] {
			n.fail("dimension %d is named twice", number)
		}
		seen[list[i]] = true
	}
	return list
}

func permuted(in []int64, order []int) []int64 {
	out := make([]int64, len(in))
	for i, axis := range order {
		out[i] = in[axis]
	}
	return out
}

// transposedReads reads an input whose axis order[i] is axis i of the output.
func transposedReads(in []int64, order []int) Region {
	r := make(Region, len(in))
	for i, axis := range order {
		r[axis] = same(i, in[axis])
	}
	return r
}
