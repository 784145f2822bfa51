package models

var inceptionV4 = description{
	Network: Network{
		Name:  "inception-v4",
		Title: "Inception v4",
		Group: Papers,
		Source: "Szegedy and others, Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning, 2017; the graph " +
			"of TF-Slim without the auxiliary head, 299x299, 1001 classes; concatenations of concatenations flattened",
		Input: []int32{1, 299, 299, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.stemV4(x)
		for i := range 4 {
			x = g.inceptionA4("Mixed_5"+letter('b', i), x)
		}
		x = g.reductionA4("Mixed_6a", x)
		for i := range 7 {
			x = g.inceptionB4("Mixed_6"+letter('b', i), x)
		}
		x = g.reductionB4("Mixed_7a", x)
		for i := range 3 {
			x = g.inceptionC4("Mixed_7"+letter('b', i), x)
		}
		return []value{g.softmax("Predictions", g.classifier("Logits", x, 1001))}
	},
}

func (g *graph) stemV4(x value) value {
	halve := valid(3, 3).by(2)
	x = g.conv("Conv2d_1a_3x3", x, 32, valid(3, 3).by(2).relu())
	x = g.conv("Conv2d_2a_3x3", x, 32, valid(3, 3).relu())
	x = g.conv("Conv2d_2b_3x3", x, 64, same(3, 3).relu())
	pooled := g.maxPool("Mixed_3a/Branch_0/MaxPool_0a_3x3", x, halve)
	x = g.join("Mixed_3a/concat", pooled, g.chain("Mixed_3a/Branch_1", x, convolution{96, halve}))
	first := g.chain("Mixed_4a/Branch_0", x, convolution{64, same(1, 1)}, convolution{96, valid(3, 3)})
	second := g.chain("Mixed_4a/Branch_1", x,
		convolution{64, same(1, 1)}, convolution{64, same(1, 7)}, convolution{64, same(7, 1)}, convolution{96, valid(3, 3)})
	x = g.join("Mixed_4a/concat", first, second)
	first = g.chain("Mixed_5a/Branch_0", x, convolution{192, halve})
	return g.join("Mixed_5a/concat", first, g.maxPool("Mixed_5a/Branch_1/MaxPool_1a_3x3", x, halve))
}

func (g *graph) inceptionA4(name string, x value) value {
	first := g.chain(name+"/Branch_0", x, convolution{96, same(1, 1)})
	second := g.chain(name+"/Branch_1", x, convolution{64, same(1, 1)}, convolution{96, same(3, 3)})
	third := g.chain(name+"/Branch_2", x,
		convolution{64, same(1, 1)}, convolution{96, same(3, 3)}, convolution{96, same(3, 3)})
	return g.join(name+"/concat", first, second, third, g.pooled(name+"/Branch_3", x, 96))
}

func (g *graph) reductionA4(name string, x value) value {
	halve := valid(3, 3).by(2)
	first := g.chain(name+"/Branch_0", x, convolution{384, halve})
	second := g.chain(name+"/Branch_1", x, convolution{192, same(1, 1)}, convolution{224, same(3, 3)}, convolution{256, halve})
	return g.join(name+"/concat", first, second, g.maxPool(name+"/Branch_2/MaxPool_1a_3x3", x, halve))
}

func (g *graph) inceptionB4(name string, x value) value {
	first := g.chain(name+"/Branch_0", x, convolution{384, same(1, 1)})
	second := g.chain(name+"/Branch_1", x,
		convolution{192, same(1, 1)}, convolution{224, same(1, 7)}, convolution{256, same(7, 1)})
	third := g.chain(name+"/Branch_2", x,
		convolution{192, same(1, 1)}, convolution{192, same(7, 1)}, convolution{224, same(1, 7)},
		convolution{224, same(7, 1)}, convolution{256, same(1, 7)})
	return g.join(name+"/concat", first, second, third, g.pooled(name+"/Branch_3", x, 128))
}

func (g *graph) reductionB4(name string, x value) value {
	halve := valid(3, 3).by(2)
	first := g.chain(name+"/Branch_0", x, convolution{192, same(1, 1)}, convolution{192, halve})
	second := g.chain(name+"/Branch_1", x,
		convolution{256, same(1, 1)}, convolution{256, same(1, 7)}, convolution{320, same(7, 1)}, convolution{320, halve})
	return g.join(name+"/concat", first, second, g.maxPool(name+"/Branch_2/MaxPool_1a_3x3", x, halve))
}

func (g *graph) inceptionC4(name string, x value) value {
	first := g.chain(name+"/Branch_0", x, convolution{256, same(1, 1)})
	second := g.chain(name+"/Branch_1", x, convolution{384, same(1, 1)})
	second1x3, second3x1 := g.fork(name+"/Branch_1", second, 256)
	third := g.chain(name+"/Branch_2", x,
		convolution{384, same(1, 1)}, convolution{448, same(3, 1)}, convolution{512, same(1, 3)})
	third1x3, third3x1 := g.fork(name+"/Branch_2", third, 256)
	return g.join(name+"/concat", first, second1x3, second3x1, third1x3, third3x1, g.pooled(name+"/Branch_3", x, 256))
}
