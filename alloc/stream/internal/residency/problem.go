package residency

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A Problem is a network in the form that the search needs. Slices are indexed by layer.
type Problem struct {
	// Live and Weights are as in [network.Network].
	Live, Weights []int64
	Load, Compute []time.Duration
	// Owners are the layers that have weights, ascending.
	Owners []int
}

// NewProblem returns the problem of a network.
func NewProblem(net *network.Network) *Problem {
	n := len(net.Layers)
	p := &Problem{Live: net.Live(), Weights: net.Weights(), Load: make([]time.Duration, n), Compute: make([]time.Duration, n)}
	for i := 1; i < n; i++ {
		p.Load[i], p.Compute[i] = net.Layers[i].Load, net.Layers[i].Compute
		if p.Weights[i] > 0 {
			p.Owners = append(p.Owners, i)
		}
	}
	return p
}

// An Evaluator computes latencies. It reuses its memory.
type Evaluator struct {
	*Problem
	// OnDemand is set to begin no load before the layer before it has computed.
	OnDemand bool
	// Latency sets First to the first step in which each streamed layer holds memory, and Ends to the
	// time at which each layer has computed.
	First []int
	Ends  []time.Duration

	room  []int64 // for each step, the largest prefix sum of streamed weights while it holds memory
	queue []int   // steps whose room may still be the least, a monotonic queue
}

func NewEvaluator(p *Problem) *Evaluator {
	n := len(p.Live)
	return &Evaluator{Problem: p, First: make([]int, n), Ends: make([]time.Duration, n), room: make([]int64, n), queue: make([]int, n)}
}

// Never is the latency of a choice that does not fit into memory.
const Never = time.Duration(1<<63 - 1)

// Latency returns the least latency of a choice of resident layers in budget bytes if loads are in
// the order of layers, or [Never]. Each load begins as early as memory allows, which is optimal: x
// is the least step such that in all steps from x to the layer the live bytes, the resident weights
// and the streamed weights held fit.
func (e *Evaluator) Latency(resident []bool, budget int64) time.Duration {
	for _, i := range e.Owners {
		if resident[i] {
			budget -= e.Weights[i]
		}
	}
	var sum int64 // streamed weights of the layers so far
	var loader, processor time.Duration
	head, tail, x := 0, 0, 0
	for i, live := range e.Live {
		room := budget - live + sum
		for tail > head && e.room[e.queue[tail-1]] >= room {
			tail--
		}
		e.room[i], e.queue[tail] = room, i
		tail++
		if w := e.Weights[i]; w > 0 && !resident[i] {
			sum += w
		}
		for head < tail && e.room[e.queue[head]] < sum {
			x = e.queue[head] + 1
			head++
		}
		if x > i {
			return Never
		}
		wait := x
		switch {
		case e.OnDemand:
			x, wait = i, i
		case e.Weights[i] == 0:
			wait = min(1, i) // a load of no bytes waits for no memory
		}
		if i == 0 {
			e.Ends[0] = 0
			continue
		}
		if !resident[i] && e.Load[i] > 0 {
			begin := loader
			if wait > 1 {
				begin = max(loader, e.Ends[wait-1])
			}
			loader = begin + e.Load[i]
			processor = max(processor, loader)
		}
		e.First[i] = wait
		processor += e.Compute[i]
		e.Ends[i] = processor
	}
	return processor
}
