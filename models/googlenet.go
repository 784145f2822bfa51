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
		x = g.inception("inc3a", x, inception{one: 64, reduce3: 96, three: 128, reduce5: 16, five: 32, pooled: 32})
		x = g.inception("inc3b", x, inception{one: 128, reduce3: 128, three: 192, reduce5: 32, five: 96, pooled: 64})
		x = g.maxPool("pool3", x, halve)
		x = g.inception("inc4a", x, inception{one: 192, reduce3: 96, three: 208, reduce5: 16, five: 48, pooled: 64})
		x = g.inception("inc4b", x, inception{one: 160, reduce3: 112, three: 224, reduce5: 24, five: 64, pooled: 64})
		x = g.inception("inc4c", x, inception{one: 128, reduce3: 128, three: 256, reduce5: 24, five: 64, pooled: 64})
		x = g.inception("inc4d", x, inception{one: 112, reduce3: 144, three: 288, reduce5: 32, five: 64, pooled: 64})
		x = g.inception("inc4e", x, inception{one: 256, reduce3: 160, three: 320, reduce5: 32, five: 128, pooled: 128})
		x = g.maxPool("pool4", x, halve)
		x = g.inception("inc5a", x, inception{one: 256, reduce3: 160, three: 320, reduce5: 32, five: 128, pooled: 128})
		x = g.inception("inc5b", x, inception{one: 384, reduce3: 192, three: 384, reduce5: 48, five: 128, pooled: 128})
		return []value{g.softmax("prob", g.classifier("loss3", x, 1000))}
	},
}

// An inception holds the channels of a module: its four branches, and the reductions before the
// 3x3 and the 5x5 convolution.
type inception struct{ one, reduce3, three, reduce5, five, pooled int32 }

func (g *graph) inception(name string, x value, i inception) value {
	first := g.chain(name+"/1x1", x, convolution{i.one, same(1, 1)})
	second := g.chain(name+"/3x3", x, convolution{i.reduce3, same(1, 1)}, convolution{i.three, same(3, 3)})
	third := g.chain(name+"/5x5", x, convolution{i.reduce5, same(1, 1)}, convolution{i.five, same(5, 5)})
	fourth := g.maxPool(name+"/pool", x, same(3, 3))
	fourth = g.chain(name+"/pool_proj", fourth, convolution{i.pooled, same(1, 1)})
	return g.join(name+"/output", first, second, third, fourth)
}
