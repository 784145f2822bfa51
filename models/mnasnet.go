package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var mnasnet13 = description{
	Network: Network{
		Name:  "mnasnet-1.3",
		Title: "MNASNet 1.3",
		Group: Papers,
		Source: "Tan and others, MnasNet: Platform-Aware Neural Architecture Search for Mobile, 2019; MnasNet-B1 of width 1.3, whose " +
			"channels are rounded to multiples of 8, as in torchvision; 224x224, 1000 classes, to the logits; paddings are TensorFlow's, " +
			"batch normalisation is folded away",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("stem", x, 40, same(3, 3).by(2).relu())
		x = g.depthwise("sep/depthwise", x, same(3, 3).relu())
		x = g.conv("sep/pointwise", x, 24, same(1, 1))
		for i, s := range []mnasStage{
			{kernel: 3, stride: 2, expansion: 3, channels: 32, blocks: 3},
			{kernel: 5, stride: 2, expansion: 3, channels: 56, blocks: 3},
			{kernel: 5, stride: 2, expansion: 6, channels: 104, blocks: 3},
			{kernel: 3, stride: 1, expansion: 6, channels: 128, blocks: 2},
			{kernel: 5, stride: 2, expansion: 6, channels: 248, blocks: 4},
			{kernel: 3, stride: 1, expansion: 6, channels: 416, blocks: 1},
		} {
			x = g.mnasStage(fmt.Sprintf("stage%d", i+1), x, s)
		}
		x = g.conv("head", x, 1280, same(1, 1).relu())
		return []value{g.classifier("classifier", x, 1000)}
	},
}

// A mnasStage is a row of inverted residual blocks; only the first one is strided.
type mnasStage struct {
	kernel, stride, expansion, channels int32
	blocks                              int
}

func (g *graph) mnasStage(name string, x value, s mnasStage) value {
	for i := range s.blocks {
		block := fmt.Sprintf("%s/block_%d", name, i)
		_, _, _, in := g.image(block, x)
		y := g.conv(block+"/expand", x, in*s.expansion, same(1, 1).relu())
		w := same(s.kernel, s.kernel).relu()
		if i == 0 {
			w = w.by(s.stride)
		}
		y = g.depthwise(block+"/depthwise", y, w)
		y = g.conv(block+"/project", y, s.channels, same(1, 1))
		if i > 0 {
			y = g.add(block+"/add", y, x, schema.ActivationFunctionTypeNONE)
		}
		x = y
	}
	return x
}
