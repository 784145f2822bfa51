package models

import "github.com/tflarena/tflarena/schema"

var vitB16 = description{
	Network: Network{
		Name:  "vit-b16",
		Title: "ViT-B/16",
		Group: Papers,
		Source: "Dosovitskiy and others, An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale, 2021; ViT-B/16, " +
			"224x224, 1000 classes, to the logits",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		const width, patches = 768, 14 * 14
		x = g.conv("embedding", x, width, valid(16, 16).by(16))
		x = g.reshape("patches", x, 1, patches, width)
		class := g.weight("class_token", width, 1, 1, width)
		x = g.concat("tokens", 1, class, x)
		positions := g.weight("position_embedding", width, 1, patches+1, width)
		x = g.add("positions", x, positions, schema.ActivationFunctionTypeNONE)
		x = transformer{heads: 12, mask: none}.blocks(g, x, 12)
		x = g.firstOf("class", x)
		return []value{g.dense("head", x, 1000)}
	},
}

// firstOf adds STRIDED_SLICE that takes the first position of [1, positions, width].
func (g *graph) firstOf(name string, x value) value {
	width := g.shape(x)[2]
	begin := g.ints(name+"/begin", []int32{3}, 0, 0, 0)
	end := g.ints(name+"/end", []int32{3}, 1, 1, width)
	strides := g.ints(name+"/strides", []int32{3}, 1, 1, 1)
	x = g.apply(stridedSliceOperator(), name, []int32{1, 1, width}, x, begin, end, strides)
	return g.reshape(name+"/flatten", x, 1, width)
}
