package models

import "fmt"

var mobilenetV1 = description{
	Network: Network{
		Name:  "mobilenet-v1",
		Title: "MobileNet v1",
		Group: Tables,
		Source: "Howard and others, MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications, " +
			"2017; width 1.0, 224x224, with a 1001-way classifier as a 1x1 convolution",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("Conv2d_0", x, 32, same(3, 3).by(2).relu6())
		x = g.separable(x, []separable{
			{64, 1},
			{128, 2},
			{128, 1},
			{256, 2},
			{256, 1},
			{512, 2},
			{512, 1},
			{512, 1},
			{512, 1},
			{512, 1},
			{512, 1},
			{1024, 2},
			{1024, 1},
		})
		x = g.averagePool("AvgPool_1a", x, valid(7, 7).by(2))
		x = g.conv("Conv2d_1c_1x1", x, 1001, same(1, 1))
		x = g.squeeze("SpatialSqueeze", x)
		return []value{g.softmax("Predictions", x)}
	},
}

// A separable is a layer of MobileNet v1: a strided depthwise convolution, then a pointwise one
// that sets the channels.
type separable struct{ channels, stride int32 }

func (g *graph) separable(x value, layers []separable) value {
	for i, l := range layers {
		x = g.depthwise(fmt.Sprintf("Conv2d_%d_depthwise", i+1), x, same(3, 3).by(l.stride).relu6())
		x = g.conv(fmt.Sprintf("Conv2d_%d_pointwise", i+1), x, l.channels, same(1, 1).relu6())
	}
	return x
}
