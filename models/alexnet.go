package models

import "fmt"

var alexnet = description{
	Network: Network{
		Name:  "alexnet",
		Title: "AlexNet",
		Group: Papers,
		Source: "Krizhevsky and others, ImageNet Classification with Deep Convolutional Neural Networks, 2012; as in the examples of " +
			"Chainer, which do not split the convolutions between two processors; 227x227, 1000 classes",
		Input: []int32{1, 227, 227, 3},
	},
	layers: func(g *graph, x value) []value {
		halve := valid(3, 3).by(2)
		x = g.conv("conv1", x, 96, valid(11, 11).by(4).relu())
		x = g.response("norm1", x)
		x = g.maxPool("pool1", x, halve)
		x = g.conv("conv2", x, 256, same(5, 5).relu())
		x = g.response("norm2", x)
		x = g.maxPool("pool2", x, halve)
		for i, channels := range []int32{384, 384, 256} {
			x = g.conv(fmt.Sprintf("conv%d", i+3), x, channels, same(3, 3).relu())
		}
		x = g.maxPool("pool5", x, halve)
		return []value{g.threeDense(x)}
	},
}
