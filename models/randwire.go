package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var randwire = description{
	Network: Network{
		Name:  "randwire",
		Title: "RandWire",
		Group: Irregular,
		Source: "Xie and others, Exploring Randomly Wired Neural Networks for Image Recognition, 2019; small regime, three stages " +
			"of 32 nodes wired by WS(4, 0.75), 78 channels; the wiring is a draw of our own, and the learned weights of edges " +
			"are left out, so that a node begins with plain sums; a stage's mean is a sum, its factor folded into the " +
			"convolutions behind it, as is batch normalisation; operators node by node",
		Input: []int32{1, 224, 224, 3},
	},
	layers: func(g *graph, x value) []value {
		const channels = 78
		x = g.conv("conv1", x, channels/2, same(3, 3).by(2).relu())
		x = g.conv("conv2", x, channels, same(3, 3).by(2))
		for i := range 3 {
			w := wattsStrogatz(32, 4, 0.75, uint64(i))
			x = g.randomStage(fmt.Sprintf("conv%d", i+3), x, w, channels<<i)
		}
		x = g.project("conv6", x, 1280)
		return []value{g.classifier("classifier", x, 1000)}
	},
}

// randomStage adds a node for each list of earlier nodes that it reads. Nodes without
// predecessors read the stage's input and halve it. The output is the sum of the nodes without
// successors.
func (g *graph) randomStage(name string, input value, wiring [][]int, channels int32) value {
	nodes := make([]value, len(wiring))
	read := make([]bool, len(wiring))
	for i, reads := range wiring {
		xs, stride := []value{input}, int32(2)
		if len(reads) > 0 {
			xs, stride = nil, 1
		}
		for _, j := range reads {
			xs = append(xs, nodes[j])
			read[j] = true
		}
		nodes[i] = g.randomNode(fmt.Sprintf("%s/node_%d", name, i), xs, channels, stride)
	}
	var ends []value
	for i, y := range nodes {
		if !read[i] {
			ends = append(ends, y)
		}
	}
	return g.sum(name+"/sum", schema.ActivationFunctionTypeNONE, ends...)
}

// randomNode adds a sum, RELU and a separable convolution.
func (g *graph) randomNode(name string, xs []value, channels, stride int32) value {
	var x value
	if len(xs) == 1 {
		x = g.relu(name+"/relu", xs[0])
	} else {
		x = g.sum(name+"/sum", schema.ActivationFunctionTypeRELU, xs...)
	}
	x = g.depthwise(name+"/depthwise", x, same(3, 3).by(stride))
	return g.conv(name+"/pointwise", x, channels, same(1, 1))
}
