package bound

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// unitsPerNanosecond is the number of time units per nanosecond in a knapsack, which keeps rounding
// errors small.
const unitsPerNanosecond = 1024

// buckets is the number of sizes that a knapsack distinguishes.
const buckets = 1024

// A tensor is a weight: its bytes, rounded up, and its part of the loading time of its layer, in
// 1/[unitsPerNanosecond] nanoseconds, rounded up.
type tensor struct{ bytes, time int64 }

// byLayer returns the weights of each layer. A layer that loads for a time but has no bytes has one
// weight of zero bytes.
func byLayer(net *network.Network) [][]tensor {
	all := make([]int64, len(net.Layers))
	for _, t := range net.Tensors {
		if t.Kind == network.Weight {
			all[t.First] += t.Size
		}
	}
	of := make([][]tensor, len(net.Layers))
	for i, l := range net.Layers {
		if i > 0 && all[i] == 0 && l.Load > 0 {
			of[i] = []tensor{{0, int64(l.Load * unitsPerNanosecond)}}
		}
	}
	for _, t := range net.Tensors {
		if t.Kind == network.Weight && t.Size > 0 {
			share := network.Share(net.Layers[t.First].Load*unitsPerNanosecond, t.Size, all[t.First])
			of[t.First] = append(of[t.First], tensor{integer.RoundUp(t.Size, network.Alignment), int64(share)})
		}
	}
	return of
}

// A knapsack bounds the time of whole tensors that fit into a room. Sizes are rounded down to
// multiples of part, so the result is never too low.
type knapsack struct {
	capacity, part int64
	free           int64   // the time of tensors whose size is rounded to zero
	best           []int64 // the most time of the others, by number of parts
}

func newKnapsack(room int64) *knapsack {
	k := &knapsack{capacity: room, part: max((room+buckets-1)/buckets, 1)}
	if room > 0 {
		k.best = make([]int64, room/k.part+1)
	}
	return k
}

func (k *knapsack) add(t tensor) {
	if t.bytes > k.capacity {
		return
	}
	size := int(t.bytes / k.part)
	if size == 0 {
		k.free += t.time
		return
	}
	for c := len(k.best) - 1; c >= size; c-- {
		k.best[c] = max(k.best[c], k.best[c-size]+t.time)
	}
}

func (k *knapsack) most() time.Duration {
	most := k.free
	if len(k.best) > 0 {
		most += k.best[len(k.best)-1]
	}
	return time.Duration(most / unitsPerNanosecond)
}
