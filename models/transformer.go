package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

// A transformer holds the common parameters of the blocks of a transformer. They normalise
// their input first, and their inner width is four times the outer one.
type transformer struct {
	heads int32
	// mask is added to the scores of the attention; it may be none.
	mask value
	// approximate selects the tanh approximation of GELU.
	approximate bool
}

func (t transformer) blocks(g *graph, x value, n int) value {
	for i := range n {
		name := fmt.Sprintf("block_%d", i)
		y := t.attention(g, name+"/attention", g.layerNorm(name+"/ln_1", x))
		x = g.add(name+"/add_1", x, y, schema.ActivationFunctionTypeNONE)
		y = t.mlp(g, name+"/mlp", g.layerNorm(name+"/ln_2", x))
		x = g.add(name+"/add_2", x, y, schema.ActivationFunctionTypeNONE)
	}
	return g.layerNorm("ln_f", x)
}

// attention adds self-attention of x, shape [1, positions, width].
func (t transformer) attention(g *graph, name string, x value) value {
	s := g.shape(x)
	positions, width := s[1], s[2]
	y := g.connect(name+"/qkv", x, 3*width, schema.ActivationFunctionTypeNONE)
	var heads [3]value // queries, keys and values: [1, heads, positions, width of a head]
	for i, part := range g.split(name+"/split", y, 3) {
		part = g.reshape(fmt.Sprintf("%s/reshape_%d", name, i), part, 1, positions, t.heads, width/t.heads)
		heads[i] = g.transpose(fmt.Sprintf("%s/transpose_%d", name, i), part, 0, 2, 1, 3)
	}
	scores := g.matMul(name+"/scores", heads[0], heads[1], true)
	// All networks here have heads of width 64, and 1/8 is the square root of 1/64.
	scores = g.mul(name+"/scale", scores, g.floats(name+"/factor", []int32{}, 0.125))
	if t.mask != none {
		scores = g.plus(name+"/masked", scores, t.mask, schema.ActivationFunctionTypeNONE)
	}
	y = g.matMul(name+"/context", g.softmax(name+"/softmax", scores), heads[2], false)
	y = g.reshape(name+"/merge", g.transpose(name+"/transpose_3", y, 0, 2, 1, 3), 1, positions, width)
	return g.connect(name+"/projection", y, width, schema.ActivationFunctionTypeNONE)
}

func (t transformer) mlp(g *graph, name string, x value) value {
	width := g.shape(x)[2]
	y := g.connect(name+"/fc_1", x, 4*width, schema.ActivationFunctionTypeNONE)
	y = g.gelu(name+"/gelu", y, t.approximate)
	return g.connect(name+"/fc_2", y, width, schema.ActivationFunctionTypeNONE)
}
