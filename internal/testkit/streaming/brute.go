package streaming

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A Plan is a choice of resident layers and of first steps, by layer, and its latency.
type Plan struct {
	Resident []bool
	First    []int
	Latency  time.Duration
}

// Each visits every plan of a network with whole layers: each set of resident layers, and each first
// step of each streamed layer with loads in the order of layers. Plans may exceed any budget.
func Each(net *network.Network, visit func(Plan)) {
	p := Plan{Resident: make([]bool, len(net.Layers)), First: make([]int, len(net.Layers))}
	each(net, net.Weights(), 1, 0, p, visit)
}

func each(net *network.Network, weights []int64, i, least int, p Plan, visit func(Plan)) {
	if i == len(net.Layers) {
		p.Latency = latency(net, p)
		visit(p)
		return
	}
	if weights[i] == 0 {
		p.First[i], p.Resident[i] = i, false
		each(net, weights, i+1, least, p, visit)
		return
	}
	p.Resident[i], p.First[i] = true, 0
	each(net, weights, i+1, least, p, visit)
	p.Resident[i] = false
	for first := max(least, 1); first <= i; first++ {
		p.First[i] = first
		each(net, weights, i+1, first, p, visit)
	}
}

// latency follows the definition.
func latency(net *network.Network, p Plan) time.Duration {
	weights := net.Weights()
	var loader time.Duration
	ends := make([]time.Duration, len(net.Layers))
	for i := 1; i < len(ends); i++ {
		begin := ends[i-1]
		if l := net.Layers[i].Load; !p.Resident[i] && l > 0 {
			from := loader
			if weights[i] > 0 {
				from = max(loader, ends[p.First[i]-1])
			}
			loader = from + l
			begin = max(begin, loader)
		}
		ends[i] = begin + net.Layers[i].Compute
	}
	return ends[len(ends)-1]
}

// Fits reports whether a plan fits into a budget by counting memory, without placement.
func Fits(net *network.Network, p Plan, budget int64) bool {
	live, weights := net.Live(), net.Weights()
	for step := range live {
		held := live[step]
		for i, w := range weights {
			if p.Resident[i] || i > 0 && p.First[i] <= step && step <= i {
				held += w
			}
		}
		if held > budget {
			return false
		}
	}
	return true
}
