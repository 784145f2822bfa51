package models

import "fmt"

var (
	squeezenet10 = squeezenet("squeezenet-1.0", "SqueezeNet 1.0", "version 1.0, of the paper", func(g *graph, x value) value {
		halve := valid(3, 3).by(2)
		x = g.conv("conv1", x, 96, valid(7, 7).by(2).relu())
		x = g.maxPool("pool1", x, halve)
		x = g.fires(x, 2, 16, 16, 32)
		x = g.maxPool("pool4", x, halve)
		x = g.fires(x, 5, 32, 48, 48, 64)
		x = g.maxPool("pool8", x, halve)
		return g.fires(x, 9, 64)
	})
	squeezenet11 = squeezenet("squeezenet-1.1", "SqueezeNet 1.1", "version 1.1, of the authors' code", func(g *graph, x value) value {
		// Caffe's pools round up: 113 to 56, as with VALID, but 56 to 28 and 28 to 14.
		x = g.conv("conv1", x, 64, valid(3, 3).by(2).relu())
		x = g.maxPool("pool1", x, valid(3, 3).by(2))
		x = g.fires(x, 2, 16, 16)
		x = g.maxPool("pool3", x, same(3, 3).by(2))
		x = g.fires(x, 4, 32, 32)
		x = g.maxPool("pool5", x, same(3, 3).by(2))
		return g.fires(x, 6, 48, 48, 64, 64)
	})
)

// squeezenet describes a version of the network; features adds the layers before the
// classifier.
func squeezenet(name, title, version string, features func(*graph, value) value) description {
	return description{
		Network: Network{
			Name:  name,
			Title: title,
			Group: Papers,
			Source: "Iandola and others, SqueezeNet: AlexNet-level Accuracy with 50x Fewer Parameters and <0.5MB Model Size, 2016; " +
				version + ", 227x227, 1000 classes",
			Input: []int32{1, 227, 227, 3},
		},
		layers: func(g *graph, x value) []value {
			x = g.conv("conv10", features(g, x), 1000, same(1, 1).relu())
			_, height, width, _ := g.image("pool10", x)
			x = g.averagePool("pool10", x, valid(height, width))
			return []value{g.softmax("prob", g.squeeze("flatten", x))}
		},
	}
}

// fires adds fire modules, numbered from first: a squeeze layer with the given channels, then
// 1x1 and 3x3 convolutions with four times as many each.
func (g *graph) fires(x value, first int, squeezes ...int32) value {
	for i, channels := range squeezes {
		name := fmt.Sprintf("fire%d", first+i)
		s := g.conv(name+"/squeeze1x1", x, channels, same(1, 1).relu())
		narrow := g.conv(name+"/expand1x1", s, 4*channels, same(1, 1).relu())
		wide := g.conv(name+"/expand3x3", s, 4*channels, same(3, 3).relu())
		x = g.join(name+"/concat", narrow, wide)
	}
	return x
}
