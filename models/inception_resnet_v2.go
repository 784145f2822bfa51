package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var inceptionResnetV2 = description{
	Network: Network{
		Name:  "inception-resnet-v2",
		Title: "Inception-ResNet v2",
		Group: Papers,
		Source: "Szegedy and others, Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning, 2017; the graph " +
			"of TF-Slim and Keras without the auxiliary head, 299x299, 1000 classes, to the logits; batch normalisation and the factors of " +
			"the residuals are folded away",
		Input: []int32{1, 299, 299, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.stemResnetV2(x)
		for i := range 10 {
			x = g.block35(fmt.Sprintf("block35_%d", i+1), x)
		}
		x = g.reduction6("mixed_6a", x)
		for i := range 20 {
			x = g.block17(fmt.Sprintf("block17_%d", i+1), x)
		}
		x = g.reduction7("mixed_7a", x)
		for i := range 9 {
			x = g.block8(fmt.Sprintf("block8_%d", i+1), x, schema.ActivationFunctionTypeRELU)
		}
		x = g.block8("block8_10", x, schema.ActivationFunctionTypeNONE)
		x = g.conv("conv_7b", x, 1536, same(1, 1).relu())
		return []value{g.classifier("logits", x, 1000)}
	},
}

func (g *graph) stemResnetV2(x value) value {
	halve := valid(3, 3).by(2)
	x = g.conv("conv2d_1a", x, 32, halve.relu())
	x = g.conv("conv2d_2a", x, 32, valid(3, 3).relu())
	x = g.conv("conv2d_2b", x, 64, same(3, 3).relu())
	x = g.maxPool("max_pool_3a", x, halve)
	x = g.conv("conv2d_3b", x, 80, valid(1, 1).relu())
	x = g.conv("conv2d_4a", x, 192, valid(3, 3).relu())
	x = g.maxPool("max_pool_5a", x, halve)
	first := g.chain("mixed_5b/branch_0", x, convolution{96, same(1, 1)})
	second := g.chain("mixed_5b/branch_1", x, convolution{48, same(1, 1)}, convolution{64, same(5, 5)})
	third := g.chain("mixed_5b/branch_2", x,
		convolution{64, same(1, 1)}, convolution{96, same(3, 3)}, convolution{96, same(3, 3)})
	return g.join("mixed_5b", first, second, third, g.pooled("mixed_5b/branch_3", x, 64))
}

func (g *graph) block35(name string, x value) value {
	first := g.chain(name+"/branch_0", x, convolution{32, same(1, 1)})
	second := g.chain(name+"/branch_1", x, convolution{32, same(1, 1)}, convolution{32, same(3, 3)})
	third := g.chain(name+"/branch_2", x,
		convolution{32, same(1, 1)}, convolution{48, same(3, 3)}, convolution{64, same(3, 3)})
	return g.widen(name, x, schema.ActivationFunctionTypeRELU, first, second, third)
}

func (g *graph) block17(name string, x value) value {
	first := g.chain(name+"/branch_0", x, convolution{192, same(1, 1)})
	second := g.chain(name+"/branch_1", x,
		convolution{128, same(1, 1)}, convolution{160, same(1, 7)}, convolution{192, same(7, 1)})
	return g.widen(name, x, schema.ActivationFunctionTypeRELU, first, second)
}

func (g *graph) block8(name string, x value, activation schema.ActivationFunctionType) value {
	first := g.chain(name+"/branch_0", x, convolution{192, same(1, 1)})
	second := g.chain(name+"/branch_1", x,
		convolution{192, same(1, 1)}, convolution{224, same(1, 3)}, convolution{256, same(3, 1)})
	return g.widen(name, x, activation, first, second)
}

// widen joins the branches of a block, projects them to the channels of its input, and adds the
// input.
func (g *graph) widen(name string, x value, activation schema.ActivationFunctionType, branches ...value) value {
	_, _, _, channels := g.image(name, x)
	y := g.join(name+"/mixed", branches...)
	y = g.conv(name+"/conv", y, channels, same(1, 1))
	return g.add(name, x, y, activation)
}

func (g *graph) reduction6(name string, x value) value {
	halve := valid(3, 3).by(2)
	first := g.chain(name+"/branch_0", x, convolution{384, halve})
	second := g.chain(name+"/branch_1", x, convolution{256, same(1, 1)}, convolution{256, same(3, 3)}, convolution{384, halve})
	return g.join(name, first, second, g.maxPool(name+"/branch_2/max_pool", x, halve))
}

func (g *graph) reduction7(name string, x value) value {
	halve := valid(3, 3).by(2)
	first := g.chain(name+"/branch_0", x, convolution{256, same(1, 1)}, convolution{384, halve})
	second := g.chain(name+"/branch_1", x, convolution{256, same(1, 1)}, convolution{288, halve})
	third := g.chain(name+"/branch_2", x, convolution{256, same(1, 1)}, convolution{288, same(3, 3)}, convolution{320, halve})
	return g.join(name, first, second, third, g.maxPool(name+"/branch_3/max_pool", x, halve))
}
