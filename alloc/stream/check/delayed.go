package check

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A Delayed runs a plan with random durations of loads and computes. It uses no steps: a weight holds
// its bytes from the beginning of its load to the end of its compute, and any other tensor from the
// end of the compute before its first layer to the end of its last layer's compute.
type Delayed struct {
	net      *network.Network
	place    *network.Placement
	waits    []int
	streamed []int64  // bytes that each layer loads
	pairs    [][2]int // tensors that share a byte at some time
	load     []span
	compute  []span
}

// A span is a time within a run.
type span struct{ begin, end float64 }

// NewDelayed prepares runs of a placement. Load i waits for layer waits[i].
func NewDelayed(net *network.Network, place *network.Placement, waits []int) *Delayed {
	d := &Delayed{
		net: net, place: place, waits: waits,
		load: make([]span, len(net.Layers)), compute: make([]span, len(net.Layers)),
	}
	_, d.streamed = layerBytes(net, place)
	order := make([]int, 0, len(net.Tensors))
	for i, t := range net.Tensors {
		if t.Size > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(place.Offsets[i], place.Offsets[j]) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			if place.Offsets[j] >= place.Offsets[i]+net.Tensors[i].Size {
				break
			}
			d.pairs = append(d.pairs, [2]int{i, j})
		}
	}
	return d
}

// Run draws durations, simulates the run, and returns an error if two tensors hold the same byte at
// the same time.
func (d *Delayed) Run(random *rand.Rand) error {
	var loader, processor float64
	for i := 1; i < len(d.net.Layers); i++ {
		d.load[i] = span{loader, loader}
		if d.streamed[i] > 0 {
			begin := max(loader, d.compute[d.waits[i]].end)
			loader = begin + length(random)
			d.load[i] = span{begin, loader}
			processor = max(processor, loader)
		}
		d.compute[i] = span{processor, processor + length(random)}
		processor = d.compute[i].end
	}
	for _, pair := range d.pairs {
		a, b := d.holds(pair[0]), d.holds(pair[1])
		if a.begin < b.end && b.begin < a.end {
			return fmt.Errorf("tensors %d and %d share bytes from %v to %v and from %v to %v", pair[0], pair[1], a.begin, a.end, b.begin, b.end)
		}
	}
	return nil
}

// holds returns the time that a tensor holds its bytes.
func (d *Delayed) holds(i int) span {
	t := d.net.Tensors[i]
	switch {
	case d.place.Resident[i]:
		return span{-1, 1e300}
	case t.Kind == network.Weight:
		return span{d.load[t.First].begin, d.compute[t.First].end}
	case t.First == 0:
		return span{-1, d.compute[t.Last].end}
	}
	return span{d.compute[t.First-1].end, d.compute[t.Last].end}
}

// length draws a duration: usually below 1, with one in ten zero and one in ten up to 100.
func length(random *rand.Rand) float64 {
	switch x := random.Float64(); {
	case x < 0.1:
		return 0
	case x < 0.9:
		return random.Float64()
	}
	return 100 * random.Float64()
}
