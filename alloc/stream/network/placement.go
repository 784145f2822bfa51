package network

import (
	"math/bits"
	"time"
)

// A Placement has the resident weights, the first steps of the streamed weights, and the offsets of
// all tensors. Its slices are indexed like [Network.Tensors].
type Placement struct {
	// Resident is set for weights that stay in memory at all times.
	Resident []bool
	// Start is the first step, inclusive, in which a tensor holds memory: the layer of an
	// activation or intermediate, at most the layer of a streamed weight, 0 for a resident one.
	Start []int
	// Offsets are in bytes, multiples of [Alignment].
	Offsets []int64
}

// NewPlacement returns a placement without resident weights; each weight holds memory only in the step
// of its layer. All offsets are zero.
func NewPlacement(n *Network) *Placement {
	p := &Placement{
		Resident: make([]bool, len(n.Tensors)),
		Start:    make([]int, len(n.Tensors)),
		Offsets:  make([]int64, len(n.Tensors)),
	}
	for i, t := range n.Tensors {
		p.Start[i] = t.First
	}
	return p
}

// Peak returns the end of the highest tensor, in bytes.
func (p *Placement) Peak(n *Network) int64 {
	var peak int64
	for i, t := range n.Tensors {
		if t.Size > 0 {
			peak = max(peak, p.Offsets[i]+t.Size)
		}
	}
	return peak
}

// ReadBytes returns the bytes of the streamed weights, which a run reads.
func (p *Placement) ReadBytes(n *Network) (bytes int64) {
	for i, t := range n.Tensors {
		if t.Kind == Weight && !p.Resident[i] {
			bytes += t.Size
		}
	}
	return bytes
}

// Waits returns the layer that must have computed before the load of each layer may begin; 0 is the
// start of the run. A load waits for the memory of all of its weights, and for the load of the layer
// before, so the values never fall.
func (p *Placement) Waits(n *Network) []int {
	waits := make([]int, len(n.Layers))
	for i, t := range n.Tensors {
		if t.Kind == Weight && !p.Resident[i] {
			waits[t.First] = max(waits[t.First], p.Start[i]-1)
		}
	}
	for i := 1; i < len(waits); i++ {
		waits[i] = max(waits[i], waits[i-1])
	}
	return waits
}

// Loads returns the time to load the streamed weights of each layer, and the time to load all
// resident weights before the first run. A layer's time is shared out by bytes; the part of the
// streamed weights is rounded up to nanoseconds.
func (p *Placement) Loads(n *Network) (loads []time.Duration, before time.Duration) {
	all, kept := make([]int64, len(n.Layers)), make([]int64, len(n.Layers))
	for i, t := range n.Tensors {
		if t.Kind != Weight {
			continue
		}
		all[t.First] += t.Size
		if p.Resident[i] {
			kept[t.First] += t.Size
		}
	}
	loads = make([]time.Duration, len(n.Layers))
	for i, l := range n.Layers {
		if i == 0 {
			continue
		}
		loads[i] = Share(l.Load, all[i]-kept[i], all[i])
		before += l.Load - loads[i]
	}
	return loads, before
}

// Share returns d * part / all, rounded up, for 0 <= part <= all. If all is zero, it returns d.
func Share(d time.Duration, part, all int64) time.Duration {
	if part == all {
		return d
	}
	hi, lo := bits.Mul64(uint64(d), uint64(part))
	quotient, rest := bits.Div64(hi, lo, uint64(all))
	if rest > 0 {
		quotient++
	}
	return time.Duration(quotient)
}
