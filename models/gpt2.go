package models

import "github.com/tflarena/tflarena/schema"

var gpt2 = description{
	Network: Network{
		Name:  "gpt2",
		Title: "GPT-2 small",
		Group: Papers,
		Source: "Radford and others, Language Models are Unsupervised Multitask Learners, 2019; the smallest model, with 124 million " +
			"parameters; one pass over 64 tokens without a cache, to the logits of each, whose matrix is that of the embedding; " +
			"of the 1024 positions the file has the 64 that are used",
		Input: []int32{1, 64},
	},
	tokens: true,
	layers: func(g *graph, x value) []value {
		const width, words = 768, 50257
		length := g.shape(x)[1]
		embedding := g.weight("wte", width, words, width)
		x = g.rows("embedding", embedding, x)
		positions := g.weight("wpe", width, 1, length, width)
		x = g.add("positions", x, positions, schema.ActivationFunctionTypeNONE)
		x = transformer{heads: 12, mask: g.causal("mask", length), approximate: true}.blocks(g, x, 12)
		return []value{g.linear("logits", x, embedding, none, schema.ActivationFunctionTypeNONE)}
	},
}

// causal adds a constant mask that hides later positions from each position.
func (g *graph) causal(name string, length int32) value {
	values := make([]float32, length*length)
	for i := range length {
		for j := i + 1; j < length; j++ {
			values[i*length+j] = -1e4
		}
	}
	return g.floats(name, []int32{1, 1, length, length}, values...)
}
