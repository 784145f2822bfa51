package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var blazeface = description{
	Network: Network{
		Name:  "blazeface",
		Title: "BlazeFace",
		Group: Tables,
		Source: "Bazarevsky and others, BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs, 2019, " +
			"as published with ML Kit: 224x128, four scales; operators depth first from the outputs",
		Input: []int32{1, 224, 128, 3},
	},
	layers: func(g *graph, x value) []value {
		var d detector
		x = g.conv("Conv", x, 24, same(7, 7).by(4).relu6())
		x = g.blaze("stride4_1", x, blaze{channels: 24, stride: 1})
		x = g.blaze("stride4_2", x, blaze{channels: 24, stride: 1})
		x = g.blaze("stride8_0", x, blaze{channels: 48, stride: 2})
		x = g.blaze("stride8_1", x, blaze{channels: 48, stride: 1})
		x = g.blaze("stride8_2", x, blaze{channels: 48, stride: 1})
		x = g.blaze("stride16_0", x, blaze{channels: 96, stride: 2})
		x = g.blaze("stride16_1", x, blaze{channels: 96, stride: 1, middle: 24})
		x = g.blaze("stride16_2", x, blaze{channels: 96, stride: 1, middle: 24})
		d.boxes(g, x, 3)
		x = g.blaze("stride32_0", x, blaze{channels: 96, stride: 2, middle: 12})
		x = g.blaze("stride32_1", x, blaze{channels: 96, stride: 1, middle: 12})
		x = g.blaze("stride32_2", x, blaze{channels: 96, stride: 1, middle: 12})
		d.boxes(g, x, 6)
		x = g.conv("stride64/reduce", x, 32, same(1, 1).relu6())
		x = g.shrink("stride64", x)
		d.boxes(g, x, 6)
		x = g.conv("stride128/reduce", x, 32, same(1, 1).relu6())
		x = g.shrink("stride128", x)
		d.boxes(g, x, 6)
		return []value{d.joinBoxes(g), d.joinClasses(g)}
	},
}

// A blaze is a BlazeBlock. If middle, the number of channels of the inner projection, is set,
// it is a double block.
type blaze struct{ channels, stride, middle int32 }

func (g *graph) blaze(name string, x value, b blaze) value {
	shortcut := x
	_, _, _, in := g.image(name, x)
	if b.stride > 1 {
		shortcut = g.maxPool(name+"/maxpool", shortcut, valid(2, 2).by(b.stride))
	}
	if b.channels > in {
		shortcut = g.pad(name+"/pad", shortcut, [2]int32{}, [2]int32{}, [2]int32{}, [2]int32{0, b.channels - in})
	}
	y := g.depthwise(name+"/depthwise", x, same(5, 5).by(b.stride))
	if b.middle > 0 {
		y = g.conv(name+"/conv1x1_mid", y, b.middle, same(1, 1))
	}
	y = g.conv(name+"/conv1x1_out", y, b.channels, same(1, 1))
	return g.add(name+"/activation", shortcut, y, schema.ActivationFunctionTypeRELU6)
}

// shrink halves the image: an explicit PAD on each side, then a separable convolution with
// VALID padding.
func (g *graph) shrink(name string, x value) value {
	_, _, _, channels := g.image(name, x)
	x = g.pad(name+"/pad", x, [2]int32{}, [2]int32{1, 1}, [2]int32{1, 1}, [2]int32{})
	x = g.depthwise(name+"/depthwise", x, valid(3, 3).by(2).relu6())
	return g.conv(name+"/pointwise", x, channels, same(1, 1).relu6())
}

// A detector predicts boxes and classes on several scales. The box branch of a scale follows
// its features at once; the class branches follow all box branches, because the classes are the
// second output.
type detector struct {
	features []value
	anchors  []int32
	encoded  []value
}

// boxCode is the number of values that describe a box: four for its position and two for each
// of six key points.
const boxCode = 16

func (d *detector) boxes(g *graph, features value, anchors int32) {
	y := d.predict(g, "BoxEncoder", len(d.features), features, anchors, boxCode)
	d.features = append(d.features, features)
	d.anchors = append(d.anchors, anchors)
	d.encoded = append(d.encoded, y)
}

func (d *detector) predict(g *graph, kind string, scale int, x value, anchors, values int32) value {
	name := fmt.Sprintf("BoxPredictor_%d/%s", scale, kind)
	x = g.depthwise(name+"_depthwise", x, same(1, 1).relu6())
	x = g.conv(name, x, anchors*values, same(1, 1))
	return g.reshape(name+"_reshape", x, 1, -1, values)
}

func (d *detector) joinBoxes(g *graph) value {
	return g.concat("box_encodings", 1, d.encoded...)
}

func (d *detector) joinClasses(g *graph) value {
	var classes []value
	for i, x := range d.features {
		classes = append(classes, d.predict(g, "ClassPredictor", i, x, d.anchors[i], 1))
	}
	return g.concat("class_predictions", 1, classes...)
}
