package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var swiftnet = description{
	Network: Network{
		Name:  "swiftnet",
		Title: "SwiftNet",
		Group: Irregular,
		Source: "Zhang and others, SwiftNet: Using Graph Propagation as Meta-knowledge to Search Highly Representative Neural " +
			"Architectures, 2019; the wiring of the graph (model-0608) with which the authors entered the Visual Wake Words " +
			"challenge of 2019, in its order; batch normalisation and fake quantisation are left out",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		halve := same(2, 2).by(2)
		x = g.conv("conv_pre1", x, 16, same(7, 7).by(4).relu())
		x = g.separable3x3("conv_pre2", x, 32)
		x = g.maxPool("maxpool_pre2", x, halve)
		x = g.swiftCell("swiftnet_2_1", x, swiftA, 32, 48)
		x = g.maxPool("pool_2", x, halve)
		x = g.swiftCell("swiftnet_3_1", x, swiftB, 48, 80)
		x = g.maxPool("pool_3", x, halve)
		x = g.swiftCell("swiftnet_4_1", x, swiftC, 64, 96)
		x = g.classifier("logits", x, 2)
		return []value{g.softmax("activation", x)}
	},
}

// A swiftNode is a convolution, given by its published number and the numbers of the nodes that
// it reads (concatenated if there are several); 0 is the cell's input. It is pointwise, or a
// separable 3x3 one.
type swiftNode struct {
	number    int
	separable bool
	reads     []int
}

// The published cells. The last node of each is the projection after the join of all unused
// outputs.
var (
	swiftA = []swiftNode{
		{14, false, []int{0}},
		{17, false, []int{14}},
		{18, false, []int{0}},
		{19, false, []int{14}},
		{20, false, []int{0, 14}},
		{21, false, []int{19, 20}},
		{23, false, []int{14, 21}},
		{24, false, []int{0, 18, 19, 20}},
		{25, true, []int{20}},
		{26, true, []int{23}},
		{27, true, []int{20, 21}},
		{28, true, []int{0, 18}},
		{29, false, []int{17, 20, 23, 24}},
		{projection, false, []int{25, 26, 27, 28, 29}},
	}
	swiftB = []swiftNode{
		{43, false, []int{0}},
		{45, true, []int{43}},
		{47, true, []int{43}},
		{48, false, []int{0}},
		{49, false, []int{0}},
		{50, false, []int{0}},
		{51, false, []int{43, 45}},
		{52, false, []int{47, 48}},
		{54, false, []int{0, 43, 45, 49}},
		{55, false, []int{54}},
		{57, false, []int{48}},
		{59, true, []int{43, 45}},
		{projection, false, []int{50, 51, 52, 55, 57, 59}},
	}
	swiftC = []swiftNode{
		{67, false, []int{0}},
		{71, true, []int{67}},
		{75, false, []int{67}},
		{80, false, []int{0, 71}},
		{81, true, []int{67}},
		{82, true, []int{75}},
		{83, false, []int{67}},
		{84, true, []int{75}},
		{85, true, []int{67, 71}},
		{87, true, []int{67}},
		{89, true, []int{67}},
		{projection, false, []int{80, 81, 82, 83, 84, 85, 87, 89}},
	}
)

// projection is the number of a cell's last node.
const projection = -1

// swiftCell adds the nodes of a cell, and adds the projected cell input to the last one.
func (g *graph) swiftCell(name string, input value, nodes []swiftNode, inner, outer int32) value {
	made := map[int]value{0: input}
	for _, n := range nodes {
		label := fmt.Sprintf("%s/conv_%d", name, n.number)
		if n.number == projection {
			label = name + "/projection"
		}
		var xs []value
		for _, from := range n.reads {
			xs = append(xs, made[from])
		}
		x := g.join(label+"/concat", xs...)
		switch {
		case n.number == projection:
			made[n.number] = g.conv(label, x, outer, same(1, 1))
		case n.separable:
			made[n.number] = g.separable3x3(label, x, inner)
		default:
			made[n.number] = g.conv(label, x, inner, same(1, 1).relu())
		}
	}
	mapped := g.conv(name+"/id_mapping", input, outer, same(1, 1))
	return g.add(name+"/activation", mapped, made[projection], schema.ActivationFunctionTypeRELU)
}

// separable3x3 adds a separable convolution with an activation after each part.
func (g *graph) separable3x3(name string, x value, channels int32) value {
	x = g.depthwise(name+"/depthwise", x, same(3, 3).relu())
	return g.conv(name+"/pointwise", x, channels, same(1, 1).relu())
}
