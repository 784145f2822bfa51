// Package streaming draws random networks for tests of package stream, and enumerates all plans of small ones.
package streaming

import (
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Network draws a network of 2 to most layers. Sizes and times are a few units, so that there are many
// ties.
func Network(t *rapid.T, most int) *network.Network {
	n := rapid.IntRange(2, most).Draw(t, "layers")
	net := &network.Network{Layers: make([]network.Layer, n)}
	for i := range net.Layers {
		last := min(n-1, i+rapid.IntRange(0, 2).Draw(t, "reach"))
		net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Activation, First: i, Last: last, Size: size(t, 4)})
		if i == 0 {
			continue
		}
		net.Layers[i].Compute = units(t, "compute")
		for range rapid.IntRange(0, 2).Draw(t, "weights") {
			net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Weight, First: i, Last: i, Size: size(t, 12)})
			net.Layers[i].Load += units(t, "load")
		}
		if rapid.IntRange(0, 3).Draw(t, "scratch") == 0 {
			net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Intermediate, First: i, Last: i, Size: size(t, 6)})
		}
	}
	return net
}

// size draws a size that is often no multiple of the alignment.
func size(t *rapid.T, most int) int64 {
	size := int64(rapid.IntRange(0, most).Draw(t, "size")) * network.Alignment
	if size > 0 && rapid.Bool().Draw(t, "odd") {
		size -= 24
	}
	return size
}

func units(t *rapid.T, name string) time.Duration {
	return time.Duration(rapid.IntRange(0, 9).Draw(t, name)) * time.Millisecond
}

// Budget draws a budget from slightly below the largest step to slightly above the sum of all sizes.
func Budget(t *rapid.T, net *network.Network) int64 {
	live, weights := net.Live(), net.Weights()
	var least, all int64
	for i := range live {
		least = max(least, live[i]+weights[i])
		all += live[i] + weights[i]
	}
	return max(0, least-64) + rapid.Int64Range(0, all-least+128).Draw(t, "budget")
}
