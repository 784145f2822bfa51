package models

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// rows adds GATHER of the given rows of a table.
func (g *graph) rows(name string, table, indexes value) value {
	t := g.shape(table)
	if len(t) != 2 || g.sub.Tensors[indexes].Type != schema.TensorTypeINT32 {
		g.fail(name, "takes rows of the shape %v", t)
		return table
	}
	return g.apply(gatherOperator(0), name, append(slices.Clone(g.shape(indexes)), t[1]), table, indexes)
}

// unpack adds UNPACK, which removes a dimension, and returns a tensor per index.
func (g *graph) unpack(name string, x value, axis int) []value {
	s := g.shape(x)
	if axis >= len(s) {
		g.fail(name, "unpacks dimension %d of %v", axis, s)
		return []value{x}
	}
	shape := slices.Delete(slices.Clone(s), axis, axis+1)
	return g.applyAll(unpackOperator(int32(axis), s[axis]), numbered(name, int(s[axis])), shape, x)
}

// split adds SPLIT of the last dimension into equal parts.
func (g *graph) split(name string, x value, parts int32) []value {
	shape := slices.Clone(g.shape(x))
	last := len(shape) - 1
	if shape[last]%parts != 0 {
		g.fail(name, "splits %v into %d parts", shape, parts)
		parts = 1
	}
	shape[last] /= parts
	axis := g.ints(name+"/axis", []int32{}, int32(last))
	return g.applyAll(splitOperator(parts), numbered(name, int(parts)), shape, axis, x)
}

func numbered(name string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s:%d", name, i))
	}
	return names
}

// argMax adds ARG_MAX along the last dimension.
func (g *graph) argMax(name string, x value) value {
	s := g.shape(x)
	last := len(s) - 1
	axis := g.ints(name+"/axis", []int32{}, int32(last))
	y := g.apply(argMaxOperator(), name, slices.Clone(s[:last]), x, axis)
	g.sub.Tensors[y].Type = schema.TensorTypeINT32
	return y
}

// transpose adds TRANSPOSE: dimension i of the result is dimension order[i] of x.
func (g *graph) transpose(name string, x value, order ...int32) value {
	s := g.shape(x)
	if len(order) != len(s) {
		g.fail(name, "transposes %v by %v", s, order)
		return x
	}
	var shape []int32
	for _, d := range order {
		shape = append(shape, s[d])
	}
	permutation := g.ints(name+"/order", []int32{int32(len(order))}, order...)
	return g.apply(transposeOperator(), name, shape, x, permutation)
}

// matMul adds BATCH_MATMUL of the last two dimensions of x and y; transposed transposes y.
func (g *graph) matMul(name string, x, y value, transposed bool) value {
	s, t := slices.Clone(g.shape(x)), g.shape(y)
	last := len(s) - 1
	if len(t) != len(s) || last < 1 || !slices.Equal(s[:last-1], t[:last-1]) {
		g.fail(name, "multiplies %v and %v", s, t)
		return x
	}
	inner, outer := t[last-1], t[last]
	if transposed {
		inner, outer = outer, inner
	}
	if s[last] != inner {
		g.fail(name, "multiplies %v and %v", s, t)
	}
	s[last] = outer
	return g.apply(matMulOperator(transposed), name, s, x, y)
}

// none is an omitted operator input.
const none value = -1

// linear adds FULLY_CONNECTED with weights that may be shared; bias may be none. All dimensions
// of x except the last are kept.
func (g *graph) linear(name string, x, weights, bias value, activation schema.ActivationFunctionType) value {
	s, w := slices.Clone(g.shape(x)), g.shape(weights)
	last := len(s) - 1
	if last < 1 || s[last] != w[1] {
		g.fail(name, "multiplies %v by weights %v", s, w)
		return x
	}
	s[last] = w[0]
	return g.apply(fullyConnectedOperator(activation, last > 1), name, s, x, weights, bias)
}

// connect adds a linear layer with its own weights and bias.
func (g *graph) connect(name string, x value, outputs int32, activation schema.ActivationFunctionType) value {
	s := g.shape(x)
	in := s[len(s)-1]
	weights := g.weight(name+"/weights", in, outputs, in)
	return g.linear(name, x, weights, g.weight(name+"/bias", in, outputs), activation)
}
