package bound

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// fine is how many parts of a nanosecond a knapsack counts in, so that rounding up is not seen.
const fine = 1024

// buckets is how many parts of the room a knapsack tells apart.
const buckets = 1024

// A tensor is a weight: its bytes, rounded up, and its part of the loading time of its layer, in
// parts of a nanosecond, rounded up.
type tensor struct{ bytes, time int64 }

// byLayer returns the weights of each layer. A layer that loads without having bytes has a weight
// of none.
func byLayer(net *model.Network) [][]tensor {
	all := make([]int64, len(net.Layers))
	for _, t := range net.Tensors {
		if t.Kind == model.Weight {
			all[t.First] += t.Size
		}
	}
	of := make([][]tensor, len(net.Layers))
	for i, l := range net.Layers {
		if i > 0 && all[i] == 0 && l.Load > 0 {
			of[i] = []tensor{{0, int64(l.Load * fine)}}
		}
	}
	for _, t := range net.Tensors {
		if t.Kind == model.Weight && t.Size > 0 {
			share := model.Share(net.Layers[t.First].Load*fine, t.Size, all[t.First])
			of[t.First] = append(of[t.First], tensor{model.Up(t.Size), int64(share)})
		}
	}
	return of
}

// A knapsack finds the most time that tensors held as a whole can have in some room. Sizes are
// rounded down to parts of the room, so that the answer is never too low.
type knapsack struct {
	room, part int64
	free       int64   // the time of tensors whose size is rounded to nothing
	best       []int64 // the most time of the others, by the parts that they may take
}

func newKnapsack(room int64) *knapsack {
	k := &knapsack{room: room, part: max((room+buckets-1)/buckets, 1)}
	if room > 0 {
		k.best = make([]int64, room/k.part+1)
	}
	return k
}

func (k *knapsack) add(t tensor) {
	if t.bytes > k.room {
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
	return time.Duration(most / fine)
}
