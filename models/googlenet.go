package models

var googlenet = description{
	Network: Network{
		Name:  "googlenet",
		Title: "GoogLeNet",
		Group: Papers,
		Source: "Szegedy and others, Going Deeper with Convolutions, 2015; without the auxiliary heads, 224x224, 1000 classes; " +
			"pooling in front of the first normalisation, as in the paper and in the examples of Chainer",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		halve := same(3, 3).by(2)
		x = g.conv("conv1", x, 64, same(7, 7).by(2).relu())
		x = g.response("norm1", g.maxPool("pool1", x, halve))
		x = g.conv("conv2_reduce", x, 64, same(1, 1).relu())
		x = g.conv("conv2", x, 192, same(3, 3).relu())
		x = g.maxPool("pool2", g.response("norm2", x), halve)
		x = g.inception("inc3a", x, inception{64, 96, 128, 16, 32, 32})
		x = g.inception("inc3b", x, inception{128, 128, 192, 32, 96, 64})
		x = g.maxPool("pool3", x, halve)
		x = g.inception("inc4a", x, inception{192, 96, 208, 16, 48, 64})
		x = g.inception("inc4b", x, inception{160, 112, 224, 24, 64, 64})
		x = g.inception("inc4c", x, inception{128, 128, 256, 24, 64, 64})
		x = g.inception("inc4d", x, inception{112, 144, 288, 32, 64, 64})
		x = g.inception("inc4e", x, inception{256, 160, 320, 32, 128, 128})
		x = g.maxPool("pool4", x, halve)
		x = g.inception("inc5a", x, inception{256, 160, 320, 32, 128, 128})
		x = g.inception("inc5b", x, inception{384, 192, 384, 48, 128, 128})
		return []value{g.softmax("prob", g.classifier("loss3", x, 1000))}
	},
}

// An inception has the channels of a module: of its four branches, and of the reductions in
// front of the 3x3 and the 5x5 convolution.
type inception struct{ one, reduce3, three, reduce5, five, pooled int32 }

func (g *graph) inception(name string, x value, i inception) value {
	first := g.chain(name+"/1x1", x, convolution{i.one, same(1, 1)})
	second := g.chain(name+"/3x3", x, convolution{i.reduce3, same(1, 1)}, convolution{i.three, same(3, 3)})
	third := g.chain(name+"/5x5", x, convolution{i.reduce5, same(1, 1)}, convolution{i.five, same(5, 5)})
	fourth := g.maxPool(name+"/pool", x, same(3, 3))
	fourth = g.chain(name+"/pool_proj", fourth, convolution{i.pooled, same(1, 1)})
	return g.join(name+"/output", first, second, third, fourth)
}
