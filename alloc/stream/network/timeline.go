package network

import "time"

// A Span is a time from Begin to End, counted from the start of the run.
type Span struct{ Begin, End time.Duration }

// A Timeline has the times at which each layer loads and computes. The span of a layer that loads
// nothing is empty.
type Timeline struct {
	Load, Compute []Span
}

// Simulate runs the loader and the processor. Load i takes loads[i] and begins when load i-1 has
// ended and layer waits[i] has computed. Compute i begins when compute i-1 and load i have ended.
// Layer 0 takes no time. [Placement.Loads] and [Placement.Waits] return the arguments for a placement.
func Simulate(n *Network, loads []time.Duration, waits []int) *Timeline {
	t := &Timeline{Load: make([]Span, len(n.Layers)), Compute: make([]Span, len(n.Layers))}
	var loader, processor time.Duration
	for i := 1; i < len(n.Layers); i++ {
		begin := loader
		if loads[i] > 0 {
			begin = max(loader, t.Compute[waits[i]].End)
			loader = begin + loads[i]
			processor = max(processor, loader)
		}
		t.Load[i] = Span{begin, begin + loads[i]}
		t.Compute[i] = Span{processor, processor + n.Layers[i].Compute}
		processor = t.Compute[i].End
	}
	return t
}

// Latency returns the time at which the last layer has computed.
func (t *Timeline) Latency() time.Duration { return t.Compute[len(t.Compute)-1].End }

// Stall returns the total time that the processor waits for weights.
func (t *Timeline) Stall() time.Duration {
	var stall, before time.Duration
	for _, c := range t.Compute {
		stall += c.Begin - before
		before = c.End
	}
	return stall
}
