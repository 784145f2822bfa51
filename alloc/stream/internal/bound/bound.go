package bound

import (
	"math/bits"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// Most is the largest number of layers that [Strong] and [Shares] handle in a reasonable time.
const Most = 600

// Quick returns a bound of the latency of a network in budget bytes, which must be feasible. It takes
// about n^2 steps for n layers, and fewer for thousands of layers.
func Quick(net *network.Network, budget int64) time.Duration {
	return newBounder(net, budget).latency()
}

// Strong returns a bound that is at least as good as [Quick]'s, in about 1000 n^2 steps.
func Strong(net *network.Network, budget int64) time.Duration {
	b := newBounder(net, budget)
	b.tensors = byLayer(net)
	return b.latency()
}

// A bounder has the figures of a network, by layer.
type bounder struct {
	net           *network.Network
	budget        int64
	live, weights []int64
	items         []item
	computed      []time.Duration // prefix sums of compute times
	tensors       [][]tensor      // nil for the quick bound
}

func newBounder(net *network.Network, budget int64) *bounder {
	b := &bounder{net: net, budget: integer.RoundUp(budget, network.Alignment), live: net.Live(), weights: net.Weights()}
	b.items, b.computed = make([]item, len(b.live)), make([]time.Duration, len(b.live))
	for i := 1; i < len(b.computed); i++ {
		b.computed[i] = b.computed[i-1] + net.Layers[i].Compute
	}
	for rank, it := range byDensity(net, b.weights) {
		it.rank = rank
		b.items[it.layer] = it
	}
	return b
}

// latency computes the bound layer by layer. Before layer t is reached, least[t] is a lower bound of
// the beginning of compute t; afterwards, of its end.
func (b *bounder) latency() time.Duration {
	least := make([]time.Duration, len(b.live))
	kept := residents(b.net, b.live, b.weights, b.budget)
	stride := len(least)*len(least)/maxPairs + 1
	for t := range least {
		room := kept
		if t > 0 {
			least[t] = max(least[t], least[t-1]) + b.net.Layers[t].Compute
			room = b.budget - b.live[t] - b.weights[t]
		}
		if t%stride == 0 {
			b.later(t, room, least)
			if b.tensors != nil {
				b.first(t, room, least)
			}
		}
	}
	return least[len(least)-1]
}

// maxPairs is the approximate number of pairs of layers to evaluate. A bound from fewer pairs is valid.
const maxPairs = 4_000_000

// later raises the bounds of the computes after t, at whose end room bytes can hold weights of later
// layers.
func (b *bounder) later(t int, room int64, least []time.Duration) {
	held := newFenwick(len(b.items))
	var whole *knapsack
	if b.tensors != nil {
		whole = newKnapsack(room)
	}
	var sum time.Duration
	for u := t + 1; u < len(least); u++ {
		held.add(b.items[u])
		sum += b.items[u].time
		saved := held.most(room)
		if whole != nil {
			for _, x := range b.tensors[u] {
				whole.add(x)
			}
			saved = min(saved, whole.most())
		}
		least[u] = max(least[u], least[t]+sum-saved)
	}
}

// An item is the weights of a layer: their bytes and their loading time. Rank is the place among all items by density.
// The bytes of a single weight are rounded up. Those of several are not: a part of them may have less padding than the
// rest, and loading times are shared by bytes without it.
type item struct {
	layer, rank int
	bytes       int64
	time        time.Duration
}

// byDensity returns an item for each layer, sorted by falling time per byte.
func byDensity(net *network.Network, weights []int64) []item {
	items := make([]item, len(net.Layers))
	count, bytes := make([]int, len(items)), make([]int64, len(items))
	for _, t := range net.Tensors {
		if t.Kind == network.Weight && t.Size > 0 {
			count[t.First]++
			bytes[t.First] += t.Size
		}
	}
	for i, l := range net.Layers {
		items[i] = item{layer: i, bytes: weights[i], time: l.Load}
		if count[i] > 1 {
			items[i].bytes = bytes[i]
		}
	}
	items[0].time = 0
	slices.SortStableFunc(items, denser)
	return items
}

// denser compares b.time / b.bytes with a.time / a.bytes without rounding. Items without any time come
// last.
func denser(a, b item) int {
	ah, al := bits.Mul64(uint64(a.time), uint64(max(b.bytes, 1)))
	bh, bl := bits.Mul64(uint64(b.time), uint64(max(a.bytes, 1)))
	switch {
	case ah > bh || ah == bh && al > bl:
		return -1
	case ah == bh && al == bl:
		return 0
	}
	return 1
}
