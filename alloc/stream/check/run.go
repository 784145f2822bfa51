package check

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Run returns an error if the timeline of a placement is wrong: a load or compute of another duration
// than the layer's, a load that begins before the loader is free, before the layer that it waits for
// has computed, or before its memory is free, or a compute that begins before its weights are loaded.
func Run(net *network.Network, place *network.Placement, waits []int, run *network.Timeline) error {
	n := len(net.Layers)
	if len(waits) != n || len(run.Load) != n || len(run.Compute) != n {
		return fmt.Errorf("the network has %d layers, but the plan has %d, %d and %d", n, len(waits), len(run.Load), len(run.Compute))
	}
	total, streamed := layerBytes(net, place)
	var loader, processor time.Duration
	for i := 1; i < n; i++ {
		load, compute := run.Load[i], run.Compute[i]
		if load.Begin < loader && load.End > load.Begin {
			return fmt.Errorf("load %d begins at %v, before the loader is free at %v", i, load.Begin, loader)
		}
		if waits[i] < 0 || waits[i] >= i {
			return fmt.Errorf("load %d waits for layer %d", i, waits[i])
		}
		if load.End > load.Begin && load.Begin < run.Compute[waits[i]].End {
			return fmt.Errorf("load %d begins at %v, before layer %d has computed", i, load.Begin, waits[i])
		}
		if !hasDuration(load.End-load.Begin, net.Layers[i].Load, streamed[i], total[i]) {
			return fmt.Errorf("load %d takes %v for %d of %d bytes, which take %v", i, load.End-load.Begin, streamed[i], total[i], net.Layers[i].Load)
		}
		if compute.Begin < processor || compute.Begin < load.End && load.End > load.Begin || compute.End-compute.Begin != net.Layers[i].Compute {
			return fmt.Errorf("compute %d takes from %v to %v, after load %d, which ends at %v, and compute %d, which ends at %v", i, compute.Begin, compute.End, i, load.End, i-1, processor)
		}
		loader, processor = max(loader, load.End), compute.End
	}
	for i, t := range net.Tensors {
		if t.Kind == network.Weight && !place.Resident[i] && place.Start[i] > waits[t.First]+1 {
			return fmt.Errorf("load %d waits for layer %d, but tensor %d holds memory from step %d on", t.First, waits[t.First], i, place.Start[i])
		}
	}
	return nil
}

// layerBytes returns the bytes of all weights and of the streamed weights of each layer.
func layerBytes(net *network.Network, place *network.Placement) (total, streamed []int64) {
	total, streamed = make([]int64, len(net.Layers)), make([]int64, len(net.Layers))
	for i, t := range net.Tensors {
		if t.Kind != network.Weight {
			continue
		}
		total[t.First] += t.Size
		if !place.Resident[i] {
			streamed[t.First] += t.Size
		}
	}
	return total, streamed
}

// hasDuration reports whether takes is the part/bytes share of the time all, within a nanosecond and the
// rounding error of this computation.
func hasDuration(takes, all time.Duration, part, bytes int64) bool {
	if bytes == 0 {
		return takes == all
	}
	want := float64(all) * (float64(part) / float64(bytes))
	return float64(takes) >= want*(1-1e-12)-1 && float64(takes) <= want*(1+1e-12)+1
}
