package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var (
	resnet50  = resnet("resnet50", "ResNet-50", 3, 4, 6, 3)
	resnet152 = resnet("resnet152", "ResNet-152", 3, 8, 36, 3)
)

// resnet describes a network with the given number of blocks per stage.
func resnet(name, title string, depths ...int) description {
	return description{
		Network: Network{
			Name:  name,
			Title: title,
			Group: Papers,
			Source: "He and others, Deep Residual Learning for Image Recognition, 2016; as in torchvision, where the 3x3 convolution " +
				"of a block has its stride; 224x224, 1000 classes, to the logits; paddings are TensorFlow's, batch normalisation is folded away",
			Input: []int32{1, 224, 224, 3},
		},
		layers: func(g *graph, x value) []value {
			x = g.conv("conv1", x, 64, same(7, 7).by(2).relu())
			x = g.maxPool("maxpool", x, same(3, 3).by(2))
			for i, depth := range depths {
				for j := range depth {
					stride := int32(1)
					if i > 0 && j == 0 {
						stride = 2
					}
					x = g.residual(fmt.Sprintf("layer%d_%d", i+1, j), x, int32(64)<<i, stride)
				}
			}
			return []value{g.classifier("fc", x, 1000)}
		},
	}
}

// residual adds a bottleneck block, whose output has four times the given channels.
func (g *graph) residual(name string, x value, channels, stride int32) value {
	y := g.conv(name+"/conv1", x, channels, same(1, 1).relu())
	y = g.conv(name+"/conv2", y, channels, same(3, 3).by(stride).relu())
	y = g.conv(name+"/conv3", y, 4*channels, same(1, 1))
	if _, _, _, in := g.image(name, x); in != 4*channels || stride > 1 {
		x = g.conv(name+"/downsample", x, 4*channels, same(1, 1).by(stride))
	}
	return g.add(name, y, x, schema.ActivationFunctionTypeRELU)
}
