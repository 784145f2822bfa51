package bound

import (
	"math/bits"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// Most is how many layers a network may have for [Strong] and [Shares].
const Most = 600

// Quick returns a bound of the latency of a network in budget bytes, in about n^2 steps for n
// layers, and in fewer where there are thousands. It means nothing where the budget is below the least feasible one.
func Quick(net *model.Network, budget int64) time.Duration { return newBounder(net, budget).latency() }

// Strong returns a bound that is at least as good, in about a thousand times n^2 steps.
func Strong(net *model.Network, budget int64) time.Duration {
	b := newBounder(net, budget)
	b.tensors = byLayer(net)
	return b.latency()
}

// A bounder has what is known of a network, by layer.
type bounder struct {
	net           *model.Network
	budget        int64
	live, weights []int64
	items         []item
	computed      []time.Duration // by all layers up to each
	tensors       [][]tensor      // set for the strong bound
}

func newBounder(net *model.Network, budget int64) *bounder {
	b := &bounder{net: net, budget: model.Up(budget), live: net.Live(), weights: net.Weights()}
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

// latency computes the bound layer by layer. When it comes to t, least[t] is the earliest begin
// of compute t as far as the layers before say; from then on it is the earliest end.
func (b *bounder) latency() time.Duration {
	least := make([]time.Duration, len(b.live))
	kept := residents(b.net, b.live, b.weights, b.budget)
	stride := len(least)*len(least)/pairs + 1
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

// pairs is about how many pairs of layers are looked at. A bound that follows from fewer is a bound
// as well.
const pairs = 4_000_000

// later raises the earliest begins of the computes after t, at whose end room bytes hold weights of
// later layers.
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

// An item is the weights of a layer: bytes, rounded up, and the time that it takes to load them.
type item struct {
	layer, rank int
	bytes       int64
	time        time.Duration
}

// byDensity returns an item for each layer, those first that take the most time for a byte.
func byDensity(net *model.Network, weights []int64) []item {
	items := make([]item, len(net.Layers))
	for i, l := range net.Layers {
		items[i] = item{layer: i, bytes: weights[i], time: l.Load}
	}
	items[0].time = 0
	slices.SortStableFunc(items, denser)
	return items
}

// denser compares a.time / a.bytes with b.time / b.bytes without rounding. What takes no time
// comes last.
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
