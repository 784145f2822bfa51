package segments

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/layered"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// A Plan says how a model runs in segments.
type Plan struct {
	Model    *tflite.Model
	Segments []*Segment
	// Network has segment i as layer i+1.
	Network *network.Network
	// Stream is the plan of the network, nil where the budget is too small.
	Stream *stream.Plan
	// Delegate says that the plan is for LiteRT with its default delegate.
	Delegate bool
	// RuntimeBytes is what LiteRT takes once, which every budget has to hold.
	RuntimeBytes int64
	// Least is the smallest budget of all ways to cut the model that were tried, in bytes.
	Least *stream.LeastBudget
}

// A candidate is one way to cut a model.
type candidate struct {
	segments []*Segment
	net      *network.Network
	least    *stream.LeastBudget
	plan     *stream.Plan
}

// Make cuts a model so that it runs in budget bytes, with LiteRT's default delegate or without one, and plans when each segment is read. It tries
// segments of several sizes, and takes those with which a run takes the least time. Where none of
// them fits, it returns a plan without Stream and a [*stream.InfeasibleError] beside it. Other errors are about
// models that cannot be cut ([segment.ErrModel]) or whose tensors have unknown sizes ([ErrSize]),
// about rates ([ErrRates]), and ctx.Err().
func Make(ctx context.Context, m *tflite.Model, rates layered.Rates, budget int64, delegate bool, o stream.Options) (*Plan, error) {
	c, err := newCutter(m)
	if err != nil {
		return nil, err
	}
	k := &maker{m: m, rates: rates, delegate: delegate, known: map[[2]int]*Segment{}}
	var best, smallest *candidate
	cuts := map[string]bool{}
	var large *segment.LargeError
	for _, limit := range c.limits() {
		after := c.cut(limit)
		if key := fmt.Sprint(after); cuts[key] {
			continue
		} else {
			cuts[key] = true
		}
		now, err := k.try(ctx, after, budget, o)
		if errors.As(err, &large) {
			continue // of the model as a whole there may be no file, and of its parts there are
		}
		if err != nil {
			return nil, err
		}
		if smallest == nil || now.least.Bytes < smallest.least.Bytes {
			smallest = now
		}
		if now.plan != nil && (best == nil || now.plan.Latency < best.plan.Latency) {
			best = now
		}
	}
	if smallest == nil {
		return nil, large
	}
	// Of the cuts that were tried: nothing is proven.
	least := &stream.LeastBudget{Bytes: smallest.least.Bytes}
	if best == nil {
		p := &Plan{Model: m, Segments: smallest.segments, Network: smallest.net, Delegate: delegate, RuntimeBytes: k.runtime(), Least: least}
		return p, &stream.InfeasibleError{Budget: budget, Least: least.Bytes}
	}
	plan, err := stream.Solve(ctx, best.net, budget, o)
	if err != nil {
		return nil, err
	}
	return &Plan{
		Model: m, Segments: best.segments, Network: best.net, Stream: plan, Delegate: delegate, RuntimeBytes: k.runtime(), Least: least,
	}, nil
}

// try plans one way to cut a model, without the search.
func (k *maker) try(ctx context.Context, after []int, budget int64, o stream.Options) (*candidate, error) {
	list, err := k.segments(ctx, after)
	if err != nil {
		return nil, err
	}
	c := &candidate{segments: list, net: k.network(list)}
	if c.least, err = stream.Least(ctx, c.net); err != nil {
		return nil, err
	}
	if c.least.Bytes > budget {
		return c, nil
	}
	o.Quick, o.Progress = true, nil
	c.plan, err = stream.Solve(ctx, c.net, budget, o)
	if none := (*stream.NoPlanError)(nil); errors.As(err, &none) {
		return c, nil
	}
	return c, err
}

// Held returns the most bytes that the plan holds at any time.
func (p *Plan) Held() (most int64) {
	held := make([]int64, len(p.Network.Layers)+1)
	for i, t := range p.Network.Tensors {
		first, last := t.First, t.Last
		switch {
		case p.Stream.Resident[i]:
			first, last = 0, len(p.Network.Layers)-1
		case t.Kind == network.Weight:
			first = p.Stream.Waits[t.First] + 1
		}
		held[first] += t.Size
		held[last+1] -= t.Size
	}
	var now int64
	for _, bytes := range held {
		now += bytes
		most = max(most, now)
	}
	return most
}
