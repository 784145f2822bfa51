package stream

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// residents keeps weights resident if loading takes more than half as long as computing, and if 70 % of
// the weights, without the largest layer's, are less than the free memory of that layer. It takes
// weights in order, from the top of memory down, and returns the end of the memory left.
func (p *flexPlanner) residents(budget, top int64) int64 {
	var load, compute float64
	for _, l := range p.net.Layers {
		load += float64(l.Load)
		compute += float64(l.Compute)
	}
	live, weights := p.net.Live(), p.net.Weights()
	peak := 0
	var all int64
	for i := range live {
		all += weights[i]
		if live[i]+weights[i] > live[peak]+weights[peak] {
			peak = i
		}
	}
	margin := budget - live[peak] - weights[peak]
	if compute >= 2*load || 0.7*float64(all-weights[peak]) >= float64(margin) {
		return top
	}
	for i, t := range p.net.Tensors {
		size := integer.RoundUp(t.Size, network.Alignment)
		if t.Kind != network.Weight || size > margin {
			continue
		}
		margin -= size
		top -= size
		p.place.Resident[i], p.place.Start[i], p.place.Offsets[i] = true, 0, top
	}
	return top
}

// activations places the outputs of even layers from the bottom up, and outputs of odd layers from the
// top down, beyond what is alive at the same end.
func (p *flexPlanner) activations(top int64) (ok bool) {
	var ends [2][]int
	for layer := range p.net.Layers {
		end := layer % 2
		ends[end] = p.alive(ends[end], layer)
		for _, i := range p.byStep[layer][network.Activation] {
			if !p.activation(i, ends[end], end == 1, top) {
				return false
			}
			ends[end] = append(ends[end], i)
		}
	}
	return true
}

// alive returns the tensors that are alive in a step. It overwrites its argument.
func (p *flexPlanner) alive(tensors []int, step int) []int {
	kept := tensors[:0]
	for _, i := range tensors {
		if p.net.Tensors[i].Last >= step {
			kept = append(kept, i)
		}
	}
	return kept
}

func (p *flexPlanner) activation(i int, alive []int, down bool, top int64) (ok bool) {
	t := p.net.Tensors[i]
	size := integer.RoundUp(t.Size, network.Alignment)
	var low int64
	for _, j := range alive {
		low = max(low, p.place.Offsets[j]+integer.RoundUp(p.net.Tensors[j].Size, network.Alignment))
	}
	if down {
		low = top - size
		for _, j := range alive {
			low = min(low, p.place.Offsets[j]-size)
		}
	}
	if !p.free.isFree(t.First, t.Last, span{low, low + size}) {
		first, pieces := p.free.longestFree(t.First, t.Last, size)
		if len(pieces) == 0 || first > t.First {
			return false
		}
		low = nearest(pieces, size, down)
		p.corrections = append(p.corrections, fmt.Sprintf("the activation of layer %d goes to the nearest free place, since its own is taken", t.First))
	}
	p.free.take(t.First, t.Last, span{low, low + size})
	p.place.Offsets[i] = low
	return true
}

// nearest returns the lowest place for size bytes in the pieces, or the highest one.
func nearest(pieces []span, size int64, down bool) int64 {
	low := pieces[0].low
	if down {
		low = pieces[0].high - size
	}
	for _, s := range pieces[1:] {
		if down {
			low = max(low, s.high-size)
		} else {
			low = min(low, s.low)
		}
	}
	return low
}
