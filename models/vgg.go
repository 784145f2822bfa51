package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var (
	vgg16 = vgg("vgg16", "VGG-16", "configuration D", 2, 2, 3, 3, 3)
	vgg19 = vgg("vgg19", "VGG-19", "configuration E", 2, 2, 4, 4, 4)
)

// vgg describes a network with the given number of convolutions before each pool.
func vgg(name, title, configuration string, depths ...int) description {
	return description{
		Network: Network{
			Name:  name,
			Title: title,
			Group: Papers,
			Source: "Simonyan and Zisserman, Very Deep Convolutional Networks for Large-Scale Image Recognition, 2015; " +
				configuration + ", 224x224, 1000 classes",
			Input: []int32{1, 224, 224, 3},
		},
		layers: func(g *graph, x value) []value {
			for i, depth := range depths {
				channels := min(64<<i, 512)
				for j := range depth {
					x = g.conv(fmt.Sprintf("conv%d_%d", i+1, j+1), x, int32(channels), same(3, 3).relu())
				}
				x = g.maxPool(fmt.Sprintf("pool%d", i+1), x, valid(2, 2).by(2))
			}
			return []value{g.threeDense(x)}
		},
	}
}

// threeDense adds the dense layers at the end of AlexNet and VGG, and the softmax.
func (g *graph) threeDense(x value) value {
	x = g.reshape("flatten", x, 1, -1)
	x = g.connect("fc6", x, 4096, schema.ActivationFunctionTypeRELU)
	x = g.connect("fc7", x, 4096, schema.ActivationFunctionTypeRELU)
	x = g.connect("fc8", x, 1000, schema.ActivationFunctionTypeNONE)
	return g.softmax("prob", x)
}
