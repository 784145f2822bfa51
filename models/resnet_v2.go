package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var resnetV2101 = description{
	Network: Network{
		Name:  "resnet-v2-101",
		Title: "ResNet v2 101",
		Group: Papers,
		Source: "He and others, Identity Mappings in Deep Residual Networks, 2016; the graph of TF-Slim, 299x299, 1001 classes, to the logits; batch " +
			"normalisation is folded away, or a depthwise 1x1 convolution where no convolution stands in front of it; with eight " +
			"bits and ADD in the place of an input it takes the 3,240,000 bytes that Kvochko and others (2024) print",
		Input: []int32{1, 299, 299, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.convAligned("conv1", x, 64, valid(7, 7).by(2))
		x = g.maxPool("pool1", x, same(3, 3).by(2))
		for i, depth := range []int{3, 4, 23, 3} {
			for j := range depth {
				stride := int32(1)
				if i < 3 && j == depth-1 {
					stride = 2
				}
				x = g.preactivated(fmt.Sprintf("block%d/unit_%d", i+1, j+1), x, int32(64)<<i, stride)
			}
		}
		x = g.scale("postnorm", x)
		_, height, width, _ := g.image("pool5", x)
		x = g.averagePool("pool5", x, valid(height, width))
		x = g.conv("logits", x, 1001, same(1, 1))
		return []value{g.squeeze("SpatialSqueeze", x)}
	},
}

// preactivated adds a block that normalises its input; the output has four times the given
// channels. A shortcut with a convolution starts after the normalisation; the shortcut of a
// strided block subsamples the input.
func (g *graph) preactivated(name string, x value, channels, stride int32) value {
	active := g.scale(name+"/preact", x)
	shortcut := x
	if _, _, _, in := g.image(name, x); in != 4*channels {
		shortcut = g.conv(name+"/shortcut", active, 4*channels, same(1, 1))
	}
	y := g.conv(name+"/conv1", active, channels, same(1, 1).relu())
	if stride > 1 {
		y = g.convAligned(name+"/conv2", y, channels, valid(3, 3).by(stride).relu())
	} else {
		y = g.conv(name+"/conv2", y, channels, same(3, 3).relu())
	}
	y = g.conv(name+"/conv3", y, 4*channels, same(1, 1))
	if stride > 1 {
		shortcut = g.maxPool(name+"/shortcut", x, valid(1, 1).by(stride))
	}
	return g.add(name+"/add", shortcut, y, schema.ActivationFunctionTypeNONE)
}

// scale adds the remainder of a batch normalisation that cannot be fused into a preceding
// convolution: a factor and a summand per channel, and RELU.
func (g *graph) scale(name string, x value) value {
	return g.depthwise(name, x, same(1, 1).relu())
}

// convAligned adds a strided convolution after an explicit PAD with equal borders.
func (g *graph) convAligned(name string, x value, channels int32, w window) value {
	border := [2]int32{w.height / 2, w.height / 2}
	x = g.pad(name+"/pad", x, [2]int32{}, border, border, [2]int32{})
	return g.conv(name, x, channels, w)
}
