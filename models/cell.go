package models

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

// A cell is the result of an architecture search: a list of states. The first two are inputs;
// every other state is the sum of two operations on earlier states.
type cell struct {
	// paths holds the operations, two per new state.
	paths []path
	// joined holds the states that are concatenated into the output.
	joined []int
}

// A path is an operation and the index of the state that it reads.
type path struct {
	operation operation
	from      int
}

// An operation makes a tensor with the given channels; its stride is 1 or 2.
type operation func(g *graph, name string, x value, channels, stride int32) value

// cell adds a cell node by node, the left operation of each node before the right one. Only
// operations on the two given states are strided.
func (g *graph) cell(name string, c cell, given [2]value, channels, stride int32) value {
	states := given[:]
	for i := 0; i < len(c.paths); i += 2 {
		node := fmt.Sprintf("%s/node_%d", name, len(states))
		left := g.follow(node+"/left", c.paths[i], states, channels, stride)
		right := g.follow(node+"/right", c.paths[i+1], states, channels, stride)
		states = append(states, g.add(node+"/add", left, right, schema.ActivationFunctionTypeNONE))
	}
	var parts []value
	for _, i := range c.joined {
		parts = append(parts, states[i])
	}
	return g.join(name+"/concat", parts...)
}

func (g *graph) follow(name string, p path, states []value, channels, stride int32) value {
	if p.from >= 2 {
		stride = 1
	}
	return p.operation(g, name, states[p.from], channels, stride)
}

func identity(_ *graph, _ string, x value, _, _ int32) value { return x }

func averagePool3x3(g *graph, name string, x value, _, stride int32) value {
	return g.averagePool(name+"/avg_pool", x, same(3, 3).by(stride))
}

func maxPool3x3(g *graph, name string, x value, _, stride int32) value {
	return g.maxPool(name+"/max_pool", x, same(3, 3).by(stride))
}

// separableTwice returns RELU and two separable convolutions; the first one is strided.
func separableTwice(size int32) operation {
	return func(g *graph, name string, x value, channels, stride int32) value {
		w := same(size, size)
		x = g.relu(name+"/relu", x)
		x = g.depthwise(name+"/depthwise_1", x, w.by(stride))
		x = g.conv(name+"/pointwise_1", x, channels, same(1, 1).relu())
		x = g.depthwise(name+"/depthwise_2", x, w)
		return g.conv(name+"/pointwise_2", x, channels, same(1, 1))
	}
}

// dilated3x3 adds RELU and one dilated separable convolution.
func dilated3x3(g *graph, name string, x value, channels, stride int32) value {
	x = g.relu(name+"/relu", x)
	x = g.depthwise(name+"/depthwise", x, same(3, 3).by(stride).dilated(2))
	return g.conv(name+"/pointwise", x, channels, same(1, 1))
}

// project adds RELU and a pointwise convolution.
func (g *graph) project(name string, x value, channels int32) value {
	x = g.relu(name+"/relu", x)
	return g.conv(name+"/conv", x, channels, same(1, 1))
}
