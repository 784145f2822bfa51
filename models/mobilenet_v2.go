package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var mobilenetV2 = description{
	Network: Network{
		Name:  "mobilenet-v2",
		Title: "MobileNet v2",
		Group: Tables,
		Source: "Sandler and others, MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018; " +
			"width 1.0, 224x224, with a 1001-way classifier as a 1x1 convolution",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("Conv", x, 32, same(3, 3).by(2).relu6())
		x = g.bottlenecks(x, []bottleneck{
			{expansion: 1, channels: 16, stride: 1, dilation: 1},
			{expansion: 6, channels: 24, stride: 2, dilation: 1},
			{expansion: 6, channels: 24, stride: 1, dilation: 1},
			{expansion: 6, channels: 32, stride: 2, dilation: 1},
			{expansion: 6, channels: 32, stride: 1, dilation: 1},
			{expansion: 6, channels: 32, stride: 1, dilation: 1},
			{expansion: 6, channels: 64, stride: 2, dilation: 1},
			{expansion: 6, channels: 64, stride: 1, dilation: 1},
			{expansion: 6, channels: 64, stride: 1, dilation: 1},
			{expansion: 6, channels: 64, stride: 1, dilation: 1},
			{expansion: 6, channels: 96, stride: 1, dilation: 1},
			{expansion: 6, channels: 96, stride: 1, dilation: 1},
			{expansion: 6, channels: 96, stride: 1, dilation: 1},
			{expansion: 6, channels: 160, stride: 2, dilation: 1},
			{expansion: 6, channels: 160, stride: 1, dilation: 1},
			{expansion: 6, channels: 160, stride: 1, dilation: 1},
			{expansion: 6, channels: 320, stride: 1, dilation: 1},
		})
		x = g.conv("Conv_1", x, 1280, same(1, 1).relu6())
		x = g.averagePool("AvgPool", x, valid(7, 7))
		x = g.conv("Conv2d_1c_1x1", x, 1001, same(1, 1))
		x = g.reshape("Squeeze", x, 1, 1001)
		return []value{g.softmax("Predictions", x)}
	},
}

// A bottleneck is an inverted residual block: expand, depthwise, project. Stride and dilation
// apply to the depthwise convolution.
type bottleneck struct{ expansion, channels, stride, dilation int32 }

func (g *graph) bottlenecks(x value, blocks []bottleneck) value {
	for i, b := range blocks {
		name := "expanded_conv"
		if i > 0 {
			name = fmt.Sprintf("expanded_conv_%d", i)
		}
		x = g.bottleneck(name, x, b)
	}
	return x
}

func (g *graph) bottleneck(name string, x value, b bottleneck) value {
	_, _, _, in := g.image(name, x)
	y := x
	if b.expansion > 1 {
		y = g.conv(name+"/expand", y, in*b.expansion, same(1, 1).relu6())
	}
	y = g.depthwise(name+"/depthwise", y, same(3, 3).by(b.stride).dilated(b.dilation).relu6())
	y = g.conv(name+"/project", y, b.channels, same(1, 1))
	if b.stride == 1 && b.channels == in {
		y = g.add(name+"/add", y, x, schema.ActivationFunctionTypeNONE)
	}
	return y
}
