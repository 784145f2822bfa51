package models

import "fmt"

var inceptionV3 = description{
	Network: Network{
		Name:  "inception-v3",
		Title: "Inception v3",
		Group: Tables,
		Source: "Szegedy and others, Rethinking the Inception Architecture for Computer Vision, 2016; the graph of " +
			"TF-Slim without the auxiliary head, 299x299, 1001 classes; concatenations of concatenations flattened, " +
			"branches in the order second, first, fourth, third, which gives the papers' bounds",
		Input: []int32{1, 299, 299, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("Conv2d_1a_3x3", x, 32, valid(3, 3).by(2).relu())
		x = g.conv("Conv2d_2a_3x3", x, 32, valid(3, 3).relu())
		x = g.conv("Conv2d_2b_3x3", x, 64, same(3, 3).relu())
		x = g.maxPool("MaxPool_3a_3x3", x, valid(3, 3).by(2))
		x = g.conv("Conv2d_3b_1x1", x, 80, valid(1, 1).relu())
		x = g.conv("Conv2d_4a_3x3", x, 192, valid(3, 3).relu())
		x = g.maxPool("MaxPool_5a_3x3", x, valid(3, 3).by(2))
		for i, pooled := range []int32{32, 64, 64} {
			x = g.inceptionA("Mixed_5"+letter('b', i), x, pooled)
		}
		x = g.reductionA("Mixed_6a", x)
		for i, inner := range []int32{128, 160, 160, 192} {
			x = g.inceptionB("Mixed_6"+letter('b', i), x, inner)
		}
		x = g.reductionB("Mixed_7a", x)
		for i := range 2 {
			x = g.inceptionC("Mixed_7"+letter('b', i), x)
		}
		x = g.averagePool("AvgPool_1a_8x8", x, valid(8, 8))
		x = g.conv("Conv2d_1c_1x1", x, 1001, same(1, 1))
		x = g.squeeze("SpatialSqueeze", x)
		return []value{g.softmax("Predictions", x)}
	},
}

func letter(first rune, i int) string { return string(first + rune(i)) }

// chain adds a sequence of convolutions with ReLU.
func (g *graph) chain(name string, x value, layers ...convolution) value {
	for i, l := range layers {
		x = g.conv(fmt.Sprintf("%s/%c", name, 'a'+i), x, l.channels, l.relu())
	}
	return x
}

type convolution struct {
	channels int32
	window
}

// pooled adds an average pool followed by a projection.
func (g *graph) pooled(name string, x value, channels int32) value {
	x = g.averagePool(name+"/AvgPool_0a_3x3", x, same(3, 3))
	return g.chain(name, x, convolution{channels, same(1, 1)})
}

func (g *graph) inceptionA(name string, x value, channels int32) value {
	second := g.chain(name+"/Branch_1", x, convolution{48, same(1, 1)}, convolution{64, same(5, 5)})
	first := g.chain(name+"/Branch_0", x, convolution{64, same(1, 1)})
	fourth := g.pooled(name+"/Branch_3", x, channels)
	third := g.chain(name+"/Branch_2", x,
		convolution{64, same(1, 1)}, convolution{96, same(3, 3)}, convolution{96, same(3, 3)})
	return g.concat(name+"/concat", 3, first, second, third, fourth)
}

func (g *graph) reductionA(name string, x value) value {
	second := g.chain(name+"/Branch_1", x,
		convolution{64, same(1, 1)}, convolution{96, same(3, 3)}, convolution{96, valid(3, 3).by(2)})
	first := g.chain(name+"/Branch_0", x, convolution{384, valid(3, 3).by(2)})
	third := g.maxPool(name+"/Branch_2/MaxPool_1a_3x3", x, valid(3, 3).by(2))
	return g.concat(name+"/concat", 3, first, second, third)
}

// inceptionB factors 7x7 into 1x7 and 7x1, with the given number of inner channels.
func (g *graph) inceptionB(name string, x value, inner int32) value {
	second := g.chain(name+"/Branch_1", x,
		convolution{inner, same(1, 1)}, convolution{inner, same(1, 7)}, convolution{192, same(7, 1)})
	first := g.chain(name+"/Branch_0", x, convolution{192, same(1, 1)})
	fourth := g.pooled(name+"/Branch_3", x, 192)
	third := g.chain(name+"/Branch_2", x,
		convolution{inner, same(1, 1)}, convolution{inner, same(7, 1)}, convolution{inner, same(1, 7)},
		convolution{inner, same(7, 1)}, convolution{192, same(1, 7)})
	return g.concat(name+"/concat", 3, first, second, third, fourth)
}

func (g *graph) reductionB(name string, x value) value {
	second := g.chain(name+"/Branch_1", x,
		convolution{192, same(1, 1)}, convolution{192, same(1, 7)}, convolution{192, same(7, 1)},
		convolution{192, valid(3, 3).by(2)})
	first := g.chain(name+"/Branch_0", x, convolution{192, same(1, 1)}, convolution{320, valid(3, 3).by(2)})
	third := g.maxPool(name+"/Branch_2/MaxPool_1a_3x3", x, valid(3, 3).by(2))
	return g.concat(name+"/concat", 3, first, second, third)
}

// inceptionC widens: 1x3 and 3x1 in parallel, both joined by the block's own concatenation.
func (g *graph) inceptionC(name string, x value) value {
	second := g.chain(name+"/Branch_1", x, convolution{384, same(1, 1)})
	second1x3, second3x1 := g.fork(name+"/Branch_1", second, 384)
	first := g.chain(name+"/Branch_0", x, convolution{320, same(1, 1)})
	fourth := g.pooled(name+"/Branch_3", x, 192)
	third := g.chain(name+"/Branch_2", x, convolution{448, same(1, 1)}, convolution{384, same(3, 3)})
	third1x3, third3x1 := g.fork(name+"/Branch_2", third, 384)
	return g.concat(name+"/concat", 3, first, second1x3, second3x1, third1x3, third3x1, fourth)
}

func (g *graph) fork(name string, x value, channels int32) (wide, high value) {
	wide = g.conv(name+"/1x3", x, channels, same(1, 3).relu())
	high = g.conv(name+"/3x1", x, channels, same(3, 1).relu())
	return wide, high
}
