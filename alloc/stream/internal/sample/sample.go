// Package sample draws networks at random for the tests of package stream, and finds the best plan of
// a small one by trying all of them.
package sample

import (
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// Network draws a network of 2 to most layers with sizes and times of a few units, in which many
// choices are equally good.
func Network(t *rapid.T, most int) *model.Network {
	n := rapid.IntRange(2, most).Draw(t, "layers")
	net := &model.Network{Layers: make([]model.Layer, n)}
	for i := range net.Layers {
		last := min(n-1, i+rapid.IntRange(0, 2).Draw(t, "reach"))
		net.Tensors = append(net.Tensors, model.Tensor{Kind: model.Activation, First: i, Last: last, Size: size(t, 4)})
		if i == 0 {
			continue
		}
		net.Layers[i].Compute = units(t, "compute")
		for range rapid.IntRange(0, 2).Draw(t, "weights") {
			net.Tensors = append(net.Tensors, model.Tensor{Kind: model.Weight, First: i, Last: i, Size: size(t, 12)})
			net.Layers[i].Load += units(t, "load")
		}
		if rapid.IntRange(0, 3).Draw(t, "scratch") == 0 {
			net.Tensors = append(net.Tensors, model.Tensor{Kind: model.Intermediate, First: i, Last: i, Size: size(t, 6)})
		}
	}
	return net
}

// size draws a size, which is often no multiple of the alignment.
func size(t *rapid.T, most int) int64 {
	size := int64(rapid.IntRange(0, most).Draw(t, "size")) * model.Alignment
	if size > 0 && rapid.Bool().Draw(t, "odd") {
		size -= 24
	}
	return size
}

func units(t *rapid.T, name string) time.Duration {
	return time.Duration(rapid.IntRange(0, 9).Draw(t, name)) * time.Millisecond
}

// Budget draws a budget from a bit below what the largest step needs to more than everything.
func Budget(t *rapid.T, net *model.Network) int64 {
	live, weights := net.Live(), net.Weights()
	var least, all int64
	for i := range live {
		least = max(least, live[i]+weights[i])
		all += live[i] + weights[i]
	}
	return max(0, least-64) + rapid.Int64Range(0, all-least+128).Draw(t, "budget")
}
