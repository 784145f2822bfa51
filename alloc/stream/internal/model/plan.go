package model

import "time"

// A Placement says which weights are resident, from when each streamed weight holds memory,
// and where every tensor lies. Its slices are indexed like [Network.Tensors].
type Placement struct {
	// Resident says which weights stay in memory at all times.
	Resident []bool
	// Start is the first step, inclusive, in which a tensor holds memory: the layer of an
	// activation or intermediate, at most the layer of a streamed weight, 0 for a resident one.
	Start []int
	// Offsets are in bytes, multiples of [Alignment].
	Offsets []int64
}

// OnDemand returns the placement in which nothing is resident and each weight holds memory
// in the step of its layer alone. Its offsets are to be filled in.
func OnDemand(n *Network) *Placement {
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

// Waits returns for each layer the layer after whose computing its load may begin: 0 where it
// may begin with the run. The load of a layer waits for the memory of all weights that it
// brings, and for its turn. Layers without streamed weights wait for nothing new: they have
// the number of the layer before.
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

// Loads returns how long each layer loads when its resident weights are in memory already,
// and how long it takes to load all resident weights. Time is shared out by bytes, and what
// is left to load is rounded up to nanoseconds.
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

// Share returns the part of a duration that part of all bytes take, rounded up. Where there are
// no bytes it is the whole duration.
func Share(d time.Duration, part, all int64) time.Duration {
	if part == all {
		return d
	}
	hi, lo := mul(uint64(d), uint64(part))
	return time.Duration(divUp(hi, lo, uint64(all)))
}
