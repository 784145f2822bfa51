package models

import "fmt"

var nasnetMobile = description{
	Network: Network{
		Name:  "nasnet-mobile",
		Title: "NASNet-A mobile",
		Group: Irregular,
		Source: "Zoph and others, Learning Transferable Architectures for Scalable Image Recognition, 2018; NASNet-A (4 @ 1056) " +
			"of TF-Slim without the auxiliary head, 1000 classes, to the logits; batch normalisation is folded away; operators cell by cell, " +
			"node by node",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		const filters, repeats = 44, 4
		x = g.conv("conv0", x, 32, valid(3, 3).by(2))
		n := nasnet{before: x, last: x}
		n.add(g, "cell_stem_0", nasnetReduction, filters/4, 2)
		n.add(g, "cell_stem_1", nasnetReduction, filters/2, 2)
		for stage := range 3 {
			scaled := int32(filters << stage)
			if stage > 0 {
				n.add(g, fmt.Sprintf("reduction_cell_%d", stage-1), nasnetReduction, scaled, 2)
			}
			for i := range repeats {
				n.add(g, fmt.Sprintf("cell_%d", stage*repeats+i), nasnetNormal, scaled, 1)
			}
		}
		x = g.relu("final_layer/relu", n.last)
		return []value{g.classifier("final_layer", x, 1000)}
	},
}

// The published cells. State 0 is the projected output of the last cell; state 1 is the output
// of the cell before it, in the shape of state 0.
var (
	nasnetNormal = cell{
		paths: []path{
			{separableTwice(5), 0},
			{separableTwice(3), 1},
			{separableTwice(5), 1},
			{separableTwice(3), 1},
			{averagePool3x3, 0},
			{identity, 1},
			{averagePool3x3, 1},
			{averagePool3x3, 1},
			{separableTwice(3), 0},
			{identity, 0},
		},
		joined: []int{1, 2, 3, 4, 5, 6},
	}
	nasnetReduction = cell{
		paths: []path{
			{separableTwice(5), 0},
			{separableTwice(7), 1},
			{maxPool3x3, 0},
			{separableTwice(7), 1},
			{averagePool3x3, 0},
			{separableTwice(5), 1},
			{identity, 3},
			{averagePool3x3, 2},
			{separableTwice(3), 2},
			{maxPool3x3, 0},
		},
		joined: []int{3, 4, 5, 6},
	}
)

// A nasnet is the network so far: the outputs of its last two cells.
type nasnet struct{ before, last value }

func (n *nasnet) add(g *graph, name string, c cell, filters, stride int32) {
	before := n.adjust(g, name+"/prev", filters)
	last := g.project(name+"/begin", n.last, filters)
	n.before, n.last = n.last, g.cell(name, c, [2]value{last, before}, filters, stride)
}

// adjust gives the output of the cell before the last the size and the channels of the last
// one's. The first cell has only one predecessor and uses its output twice, unchanged.
func (n *nasnet) adjust(g *graph, name string, filters int32) value {
	_, height, _, channels := g.image(name, n.before)
	_, wanted, _, _ := g.image(name, n.last)
	switch {
	case n.before == n.last:
		return n.last
	case height != wanted:
		return g.halveByPools(name, n.before, filters)
	case channels != filters:
		return g.project(name, n.before, filters)
	}
	return n.before
}

// halveByPools adds TF-Slim's factorised reduction: every second pixel of the image, and every
// second pixel of the image shifted by one row and one column.
func (g *graph) halveByPools(name string, x value, filters int32) value {
	x = g.relu(name+"/relu", x)
	w := valid(1, 1).by(2)
	even := g.averagePool(name+"/path1_pool", x, w)
	even = g.conv(name+"/path1_conv", even, filters/2, same(1, 1))
	odd := g.pad(name+"/pad", x, [2]int32{}, [2]int32{0, 1}, [2]int32{0, 1}, [2]int32{})
	odd = g.crop(name+"/crop", odd)
	odd = g.averagePool(name+"/path2_pool", odd, w)
	odd = g.conv(name+"/path2_conv", odd, filters/2, same(1, 1))
	return g.join(name+"/concat", even, odd)
}
