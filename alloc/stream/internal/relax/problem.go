package relax

import (
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
)

// A Problem is a network in the form that the search needs.
type Problem struct {
	// Live are the bytes of activations and intermediates in each step, Weights the bytes of
	// each layer's weights, all rounded up to [model.Alignment].
	Live, Weights []int64
	// Load and Compute are the times of each layer.
	Load, Compute []time.Duration
	// Owners are the layers that have weights, ascending.
	Owners []int
}

// NewProblem returns the problem of a network.
func NewProblem(net *model.Network) *Problem {
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

// An Evaluator computes latencies. It keeps its memory from one computation to the next.
type Evaluator struct {
	*Problem
	// OnDemand says that no load begins before the computing of the layer before has ended.
	OnDemand bool
	// First is, after Latency, the first step in which each streamed layer holds memory.
	First []int
	// Ends is, after Latency, when each layer has computed.
	Ends []time.Duration

	room  []int64 // how far the sum of streamed weights may go while a step holds memory
	queue []int   // steps whose room may still be the least
}

// NewEvaluator returns an evaluator for a problem.
func NewEvaluator(p *Problem) *Evaluator {
	n := len(p.Live)
	return &Evaluator{Problem: p, First: make([]int, n), Ends: make([]time.Duration, n), room: make([]int64, n), queue: make([]int, n)}
}

// Never is the latency of what has no room.
const Never = time.Duration(1<<63 - 1)

// Latency returns the least latency with a choice of resident layers in budget bytes, when
// loads go in the order of layers, or [Never] where the budget has no room. Each load begins
// as early as memory allows, which is best: x is the least step such that in all steps from x
// to the layer the live bytes, the resident ones and the streamed weights held fit.
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
