package stream

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// maxPrefetch is the largest number of layers by which a weight may be loaded before its own.
const maxPrefetch = 50

// A flexPlanner plans as FlexNN does: activations first, from both ends of memory, then for each layer
// its weights, as early as memory allows, and its intermediates.
//
// The method is from Li et al. 2024, section 3.3.2, with the tie-breaking rules of the authors'
// program, so that addresses are the same if that program makes a valid plan. Two of its faults are
// mended: an activation whose place is taken goes to the nearest free place at the same end, and a
// layer that is planned again without preloading keeps nothing of the first attempt.
type flexPlanner struct {
	net         *network.Network
	place       *network.Placement
	free        *freeSpans
	byStep      [][3][]int // tensors by first step and kind, in order
	corrections []string   // where the authors' program would have made a wrong plan
}

// flexNN is the strategy [FlexNN].
func flexNN(_ context.Context, t *task) (*found, error) {
	p := &flexPlanner{net: t.net, place: network.NewPlacement(t.net), byStep: make([][3][]int, len(t.net.Layers))}
	for i, x := range t.net.Tensors {
		p.byStep[x.First][x.Kind] = append(p.byStep[x.First][x.Kind], i)
	}
	top := t.budget &^ (network.Alignment - 1)
	if top < 0 {
		return nil, errNoPlan
	}
	top = p.residents(t.budget, top)
	p.free = newFreeSpans(len(t.net.Layers), top)
	if !p.activations(top) {
		return nil, errNoPlan
	}
	earliest := 0
	for layer := range t.net.Layers {
		var ok bool
		if earliest, ok = p.layer(layer, earliest); !ok {
			return nil, errNoPlan
		}
	}
	return &found{place: p.place, winner: FlexNN, notes: p.corrections}, nil
}

// layer plans the weights and intermediates of a layer. Its weights may hold memory from step
// earliest on; next is the same for the next layer.
func (p *flexPlanner) layer(layer, earliest int) (next int, ok bool) {
	from := max(0, min(earliest, layer), layer-maxPrefetch)
	before := len(p.free.taken)
	if next, ok = p.weights(layer, from); ok && p.intermediates(layer) {
		return max(earliest, next), true
	}
	p.free.keepOnly(before)
	p.corrections = append(p.corrections, fmt.Sprintf("layer %d is planned again without preloading, and nothing is left of the first try", layer))
	if next, ok = p.weights(layer, layer); !ok {
		return next, false
	}
	return next, p.intermediates(layer)
}

// weights gives memory to each streamed weight of a layer from the earliest possible step on, and
// returns the first step of the last one.
func (p *flexPlanner) weights(layer, earliest int) (first int, ok bool) {
	for _, i := range p.byStep[layer][network.Weight] {
		if p.place.Resident[i] {
			continue
		}
		size := integer.RoundUp(p.net.Tensors[i].Size, network.Alignment)
		first, pieces := p.free.longestFree(earliest, layer, size)
		if len(pieces) == 0 {
			return 0, false
		}
		low := p.free.choose(first, layer, pieces).low
		p.free.take(first, layer, span{low, low + size})
		p.place.Start[i], p.place.Offsets[i] = first, low
		earliest = first
	}
	return earliest, true
}

func (p *flexPlanner) intermediates(layer int) (ok bool) {
	for _, i := range p.byStep[layer][network.Intermediate] {
		t := p.net.Tensors[i]
		size := integer.RoundUp(t.Size, network.Alignment)
		first, pieces := p.free.longestFree(layer, t.Last, size)
		if len(pieces) == 0 || first > layer {
			return false
		}
		low := p.free.choose(first, t.Last, pieces).low
		p.free.take(layer, t.Last, span{low, low + size})
		p.place.Offsets[i] = low
	}
	return true
}
