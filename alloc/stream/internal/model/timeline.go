package model

import (
	"math/bits"
	"time"
)

// A Span is a piece of time, from the start of the run.
type Span struct{ Begin, End time.Duration }

// A Timeline says when each layer loads and computes. A layer that loads nothing has an empty
// span.
type Timeline struct {
	Load, Compute []Span
}

// Simulate runs the loader and the processor: load i begins when the load before it has ended
// and the computing of layer waits[i] as well, compute i when compute i-1 and load i have.
// Layer 0 takes no time.
func Simulate(n *Network, loads []time.Duration, waits []int) *Timeline {
	t := &Timeline{Load: make([]Span, len(n.Layers)), Compute: make([]Span, len(n.Layers))}
	var loader, processor time.Duration
	for i := 1; i < len(n.Layers); i++ {
		begin := loader
		if loads[i] > 0 {
			begin = max(loader, t.Compute[waits[i]].End)
			loader = begin + loads[i]
		}
		t.Load[i] = Span{begin, begin + loads[i]}
		if loads[i] > 0 {
			processor = max(processor, loader)
		}
		t.Compute[i] = Span{processor, processor + n.Layers[i].Compute}
		processor = t.Compute[i].End
	}
	return t
}

// Latency returns when the last layer has computed.
func (t *Timeline) Latency() time.Duration { return t.Compute[len(t.Compute)-1].End }

// Stall returns how long the processor waits for weights during the run.
func (t *Timeline) Stall() time.Duration {
	var stall, before time.Duration
	for _, c := range t.Compute {
		stall += c.Begin - before
		before = c.End
	}
	return stall
}

func mul(a, b uint64) (hi, lo uint64) { return bits.Mul64(a, b) }

// divUp divides a number of 128 bits and rounds up. The quotient must be below 2^63.
func divUp(hi, lo, by uint64) uint64 {
	q, r := bits.Div64(hi, lo, by)
	if r > 0 {
		q++
	}
	return q
}
