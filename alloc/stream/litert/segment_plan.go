package litert

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// A SegmentPlan is a model cut into segments, with the plan of their network.
type SegmentPlan struct {
	Model *tflite.Model
	// Rates are the speeds with the times of the model's operators.
	Rates    Rates
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
	// latencies are those of quick plans in each budget, nil if a budget has none.
	latencies []time.Duration
}

// PlanSegments cuts a model so that LiteRT runs it in budget bytes, with its default delegate or
// without, and plans the reading of the segments. It tries segments of several sizes and returns the
// fastest plan. If none fits, it returns a plan without Stream and a [*stream.InfeasibleError]. Other
// errors are the errors of package segment for models that cannot be cut, [ErrSize], [ErrRates] and
// ctx.Err().
func PlanSegments(ctx context.Context, m *tflite.Model, rates Rates, budget int64, delegate bool, o stream.Options) (*SegmentPlan, error) {
	p, err := CutSegments(ctx, m, rates, []int64{budget}, delegate, o)
	if err == nil {
		p.Stream, err = stream.Solve(ctx, p.Network, budget, o)
	}
	if infeasible := (*stream.InfeasibleError)(nil); err != nil && !errors.As(err, &infeasible) {
		return nil, err
	}
	return p, err
}

// CutSegments is [PlanSegments] for several budgets, in bytes and ascending, without the final plans. Of the cuts with plans
// in all budgets it returns the one whose worst latency is the least, each latency in relation to the fastest cut for its
// budget.
func CutSegments(ctx context.Context, m *tflite.Model, rates Rates, budgets []int64, delegate bool, o stream.Options) (*SegmentPlan, error) {
	c, err := newCutter(m)
	if err != nil {
		return nil, err
	}
	k := &segmenter{m: m, rates: rates, delegate: delegate, known: map[[2]int]*Segment{}}
	var list []*candidate
	var smallest *candidate
	cuts := map[string]bool{}
	var large *segment.LargeError
	for _, limit := range c.limits() {
		after := c.cut(limit)
		if key := fmt.Sprint(after); cuts[key] {
			continue
		} else {
			cuts[key] = true
		}
		now, err := k.try(ctx, after, budgets, o)
		if errors.As(err, &large) {
			continue // smaller segments may fit into files
		}
		if err != nil {
			return nil, err
		}
		if smallest == nil || now.least.Bytes < smallest.least.Bytes {
			smallest = now
		}
		if now.latencies != nil {
			list = append(list, now)
		}
	}
	if smallest == nil {
		return nil, large
	}
	best := smallest
	if len(list) == 0 {
		err = &stream.InfeasibleError{Budget: budgets[0], Least: smallest.least.Bytes}
	} else {
		best = leastRegret(list)
	}
	return &SegmentPlan{
		Model: m, Rates: rates, Segments: best.segments, Network: best.net, Delegate: delegate, RuntimeBytes: k.runtime(),
		Least: &stream.LeastBudget{Bytes: smallest.least.Bytes},
	}, err
}

// leastRegret returns the first candidate whose worst latency is the least, each in relation to the fastest in its budget.
func leastRegret(list []*candidate) *candidate {
	var best *candidate
	least := math.Inf(1)
	for _, c := range list {
		worst := 0.0
		for i, latency := range c.latencies {
			fastest := latency
			for _, other := range list {
				fastest = min(fastest, other.latencies[i])
			}
			worst = max(worst, float64(latency)/float64(max(fastest, 1)))
		}
		if worst < least {
			best, least = c, worst
		}
	}
	return best
}

// try plans one cut of a model quickly.
func (k *segmenter) try(ctx context.Context, after []int, budgets []int64, o stream.Options) (*candidate, error) {
	list, err := k.segments(ctx, after)
	if err != nil {
		return nil, err
	}
	c := &candidate{segments: list, net: k.network(list)}
	if c.least, err = stream.Least(ctx, c.net); err != nil {
		return nil, err
	}
	if c.least.Bytes > budgets[0] {
		return c, nil
	}
	o.Quick, o.Progress = true, nil
	var latencies []time.Duration
	for _, budget := range budgets {
		plan, err := stream.Solve(ctx, c.net, budget, o)
		if none := (*stream.NoPlanError)(nil); errors.As(err, &none) {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		latencies = append(latencies, plan.Latency)
	}
	c.latencies = latencies
	return c, nil
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
