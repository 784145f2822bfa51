package models

import "fmt"

var darts = description{
	Network: Network{
		Name:  "darts",
		Title: "DARTS",
		Group: Irregular,
		Source: "Liu and others, DARTS: Differentiable Architecture Search, 2019; the second-order cells (DARTS_V2) on ImageNet, " +
			"14 cells, 48 channels at first, without the auxiliary head, as in the authors' code; paddings are TensorFlow's, " +
			"batch normalisation is folded away; operators cell by cell, node by node",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		const channels = 48
		x = g.conv("stem0/conv_1", x, channels/2, same(3, 3).by(2).relu())
		before := g.conv("stem0/conv_2", x, channels, same(3, 3).by(2))
		x = g.relu("stem1/relu", before)
		x = g.conv("stem1/conv", x, channels, same(3, 3).by(2))
		x = g.dartsCells(before, x, 14, channels)
		return []value{g.classifier("classifier", x, 1000)}
	},
}

var dartsCIFAR = description{
	Network: Network{
		Name:  "darts-cifar10",
		Title: "DARTS for CIFAR-10",
		Group: Irregular,
		Source: "as darts, from the same paper and code; the same cells on CIFAR-10, 20 of them, 36 channels at first, where no " +
			"stem takes more memory than they do",
		Input: []int32{1, 32, 32, 3},
	},
	layers: func(g *graph, x value) []value {
		const channels = 36
		x = g.conv("stem", x, 3*channels, same(3, 3))
		x = g.dartsCells(x, x, 20, channels)
		return []value{g.classifier("classifier", x, 10)}
	},
}

// The published cells. States 0 and 1 are the outputs of the two previous cells, the older one
// first.
var (
	dartsNormal = cell{
		paths: []path{
			{separableTwice(3), 0},
			{separableTwice(3), 1},
			{separableTwice(3), 0},
			{separableTwice(3), 1},
			{separableTwice(3), 1},
			{identity, 0},
			{identity, 0},
			{dilated3x3, 2},
		},
		joined: []int{2, 3, 4, 5},
	}
	dartsReduction = cell{
		paths: []path{
			{maxPool3x3, 0},
			{maxPool3x3, 1},
			{identity, 2},
			{maxPool3x3, 1},
			{maxPool3x3, 0},
			{identity, 2},
			{identity, 2},
			{maxPool3x3, 1},
		},
		joined: []int{2, 3, 4, 5},
	}
)

// dartsCells adds cells after two given outputs. The cells at one third and two thirds of the
// depth halve the image and double the channels.
func (g *graph) dartsCells(before, last value, cells int, channels int32) value {
	for i := range cells {
		reduce := i == cells/3 || i == 2*cells/3
		if reduce {
			channels *= 2
		}
		before, last = last, g.dartsCell(fmt.Sprintf("cell_%d", i), before, last, channels, reduce)
	}
	return last
}

// dartsCell adds a cell after the two previous outputs. If the last cell halved the image, the
// output before it is twice as large.
func (g *graph) dartsCell(name string, before, last value, channels int32, reduce bool) value {
	_, height, _, _ := g.image(name, before)
	_, wanted, _, _ := g.image(name, last)
	if height != wanted {
		before = g.halveWithoutLoss(name+"/preprocess_0", before, channels)
	} else {
		before = g.project(name+"/preprocess_0", before, channels)
	}
	given := [2]value{before, g.project(name+"/preprocess_1", last, channels)}
	if reduce {
		return g.cell(name, dartsReduction, given, channels, 2)
	}
	return g.cell(name, dartsNormal, given, channels, 1)
}

// halveWithoutLoss adds the authors' factorised reduction: two pointwise convolutions with
// stride 2, the second offset by one row and one column.
func (g *graph) halveWithoutLoss(name string, x value, channels int32) value {
	x = g.relu(name+"/relu", x)
	w := valid(1, 1).by(2)
	even := g.conv(name+"/conv_1", x, channels/2, w)
	odd := g.conv(name+"/conv_2", g.crop(name+"/crop", x), channels/2, w)
	return g.join(name+"/concat", even, odd)
}
