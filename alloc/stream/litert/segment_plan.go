package litert

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// A SegmentPlan is a model cut into segments, with the plan of their network.
type SegmentPlan struct {
	Model    *tflite.Model
	Segments []*Segment
	// Network has segment i as layer i+1.
	Network *network.Network
	// Stream is the plan of the network, or nil if the budget is too small.
	Stream *stream.Plan
	// Delegate is set if LiteRT uses its default delegate.
	Delegate bool
	// RuntimeBytes is the memory that LiteRT allocates once, which is part of every budget.
	RuntimeBytes int64
	// Least is the smallest budget of all cuts that were tried.
	Least *stream.LeastBudget
}

// A candidate is one cut of a model.
type candidate struct {
	segments []*Segment
	net      *network.Network
	least    *stream.LeastBudget
	plan     *stream.Plan
}

// PlanSegments cuts a model so that LiteRT runs it in budget bytes, with its default delegate or
// without, and plans the reading of the segments. It tries segments of several sizes and returns the
// fastest plan. If none fits, it returns a plan without Stream and a [*stream.InfeasibleError]. Other
// errors are the errors of package segment for models that cannot be cut, [ErrSize], [ErrRates] and
// ctx.Err().
func PlanSegments(ctx context.Context, m *tflite.Model, rates Rates, budget int64, delegate bool, o stream.Options) (*SegmentPlan, error) {
	c, err := newCutter(m)
	if err != nil {
		return nil, err
	}
	k := &segmenter{m: m, rates: rates, delegate: delegate, known: map[[2]int]*Segment{}}
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
			continue // smaller segments may fit into files
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
	least := &stream.LeastBudget{Bytes: smallest.least.Bytes}
	if best == nil {
		p := &SegmentPlan{Model: m, Segments: smallest.segments, Network: smallest.net, Delegate: delegate, RuntimeBytes: k.runtime(), Least: least}
		return p, &stream.InfeasibleError{Budget: budget, Least: least.Bytes}
	}
	plan, err := stream.Solve(ctx, best.net, budget, o)
	if err != nil {
		return nil, err
	}
	return &SegmentPlan{
		Model: m, Segments: best.segments, Network: best.net, Stream: plan, Delegate: delegate, RuntimeBytes: k.runtime(), Least: least,
	}, nil
}

// try plans one cut of a model quickly.
func (k *segmenter) try(ctx context.Context, after []int, budget int64, o stream.Options) (*candidate, error) {
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

// Held returns the peak of the bytes that the plan holds.
func (p *SegmentPlan) Held() (most int64) {
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
