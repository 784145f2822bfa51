package stream

import (
	"context"
	"errors"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
)

// placeNodes is the number of nodes that the exact planner may visit for one placement.
const placeNodes = 20_000

// latencyIncreases are increases of the latency, as a part of it, that are tried in order until
// offsets are found: with more time, loads begin later and hold less memory.
var latencyIncreases = []float64{0, 0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}

// quickIncreases replaces latencyIncreases for [Options.Quick].
var quickIncreases = []float64{0, 0.01, 0.05, 0.1}

// best chooses resident layers as if memory were only counted, and then places the tensors. It
// returns the plan of another strategy if that is faster.
func best(ctx context.Context, t *task) (*found, error) {
	s := residency.NewSearch(t.problem, t.capacity(), t.opt.Seed, false)
	s.Grow(ctx, DefaultNodes(t.net))
	if !t.opt.Quick {
		t.improve(ctx, s)
	}
	f, err := t.placed(ctx, s.Best(), false)
	if err != nil {
		return nil, err
	}
	if f == nil || !t.opt.Quick {
		if f, err = t.alternatives(ctx, f, s.Earlier()); err != nil {
			return nil, err
		}
	}
	if f, err = t.thrifty(ctx, f); err != nil {
		return nil, err
	}
	f.nodes, f.interrupted = s.Nodes, ctx.Err() != nil
	return f, nil
}

// improve searches and reports progress.
func (t *task) improve(ctx context.Context, s *residency.Search) {
	last := residency.Never
	report := func() {
		if latency := s.Best().Latency; t.opt.Progress != nil && latency < last {
			last = latency
			t.opt.Progress(Progress{latency, t.bound, s.Nodes})
		}
	}
	report()
	s.OnBetter = report
	s.Improve(ctx, t.nodes(), t.bound)
}

// placed places the tensors for a choice of resident layers. It returns nil if it finds no offsets.
// After ctx has ended, it tries only quick strategies.
func (t *task) placed(ctx context.Context, c residency.Choice, onDemand bool) (*found, error) {
	if c.Latency == residency.Never {
		return nil, nil
	}
	e := residency.NewEvaluator(t.problem)
	e.OnDemand = onDemand
	e.Latency(c.Resident, t.capacity())
	var before []int
	tried := latencyIncreases
	if t.opt.Quick {
		tried = quickIncreases
	}
	for _, loss := range tried {
		first := e.Late(c.Resident, c.Latency+time.Duration(loss*float64(c.Latency)))
		if slices.Equal(first, before) {
			continue
		}
		before = first
		p, err := t.place(ctx, c.Resident, first, fit, t.placeNodes())
		if err != nil {
			return nil, err
		}
		if p != nil {
			return &found{place: p, winner: Best}, nil
		}
	}
	return nil, nil
}

// alternatives returns the fastest of f, which may be nil, some other choices, which are sorted by
// latency, and other strategies.
func (t *task) alternatives(ctx context.Context, f *found, choices []residency.Choice) (*found, error) {
	for _, c := range choices {
		if f != nil && (t.plan(f).Latency <= c.Latency || ctx.Err() != nil) || t.opt.Quick {
			break
		}
		other, err := t.placed(ctx, c, false)
		if err != nil {
			return nil, err
		}
		f = t.better(f, other)
	}
	return t.others(ctx, f)
}

// others returns the fastest of f, which may be nil, and the plans of other strategies.
func (t *task) others(ctx context.Context, f *found) (*found, error) {
	quick := *t
	quick.opt.Quick = true
	for _, solve := range []func(context.Context, *task) (*found, error){flexNN, residentOnly, onDemand} {
		if f != nil && (t.plan(f).Latency == t.bound || ctx.Err() != nil) {
			break
		}
		other, err := solve(context.WithoutCancel(ctx), &quick)
		if errors.Is(err, errNoPlan) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f = t.better(f, other)
	}
	if f == nil {
		return nil, errNoPlan
	}
	return f, nil
}

// better returns the better one of two plans, the first one if neither is; either may be nil.
func (t *task) better(f, g *found) *found {
	if f == nil || g != nil && t.plan(g).better(t.plan(f)) {
		return g
	}
	return f
}

// placeNodes is the number of nodes of a search for offsets.
func (t *task) placeNodes() int64 {
	if t.opt.Quick {
		return 0
	}
	return placeNodes
}

func (t *task) nodes() int64 {
	if t.opt.SearchNodes > 0 {
		return t.opt.SearchNodes
	}
	return DefaultNodes(t.net)
}

// capacity returns the budget rounded down to the alignment, as every tensor takes a multiple of it.
// If that is too little, it returns the budget rounded up, as the highest tensor may end anywhere.
func (t *task) capacity() int64 {
	down := t.budget &^ (network.Alignment - 1)
	for i, live := range t.problem.Live {
		if live+t.problem.Weights[i] > down {
			return integer.RoundUp(t.budget, network.Alignment)
		}
	}
	return down
}
