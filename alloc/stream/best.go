package stream

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/internal/model"
	"github.com/tflarena/tflarena/alloc/stream/internal/place"
	"github.com/tflarena/tflarena/alloc/stream/internal/relax"
)

// placeNodes is how many nodes the exact planner may visit for one placement.
const placeNodes = 20_000

// losses are the parts of the latency that a plan may lose for addresses, tried in this order: the
// more time loads have, the later they begin and the less memory they hold.
var losses = []float64{0, 0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1}

// quickLosses are those that are tried when there is to be no search.
var quickLosses = []float64{0, 0.01, 0.05, 0.1}

// best searches for what to keep when memory is only counted, and gives the result addresses. It
// returns the plan of another strategy where that is faster.
func best(ctx context.Context, t *task) (*found, error) {
	s := relax.NewSearch(t.problem, t.capacity(), t.opt.Seed, false)
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
	f.nodes, f.interrupted = s.Nodes, ctx.Err() != nil
	return f, nil
}

// improve searches in rounds, so that progress can be told.
func (t *task) improve(ctx context.Context, s *relax.Search) {
	last := relax.Never
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

// placed assigns addresses for a choice of residents. It returns nil if it finds none. After ctx has ended, it tries
// only quick strategies.
func (t *task) placed(ctx context.Context, c relax.Choice, onDemand bool) (*found, error) {
	if c.Latency == relax.Never {
		return nil, nil
	}
	e := relax.NewEvaluator(t.problem)
	e.OnDemand = onDemand
	e.Latency(c.Resident, t.capacity())
	var before []int
	tried, nodes := losses, int64(placeNodes)
	if t.opt.Quick {
		tried, nodes = quickLosses, 0
	}
	for _, loss := range tried {
		first := e.Late(c.Resident, c.Latency+time.Duration(loss*float64(c.Latency)))
		if equal(first, before) {
			continue
		}
		before = first
		within := ctx
		if ctx.Err() != nil {
			within, nodes = context.WithoutCancel(ctx), 0
		}
		p, ok, err := place.Place(within, t.net, c.Resident, first, t.budget, nodes)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if ok {
			return &found{place: p, winner: Best}, nil
		}
	}
	return nil, nil
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// alternatives compares what was found, which may be nil, with other choices, the fastest first, and
// with other strategies.
func (t *task) alternatives(ctx context.Context, f *found, choices []relax.Choice) (*found, error) {
	for _, c := range choices {
		if f != nil && (t.plan(f).Latency <= c.Latency || ctx.Err() != nil) || t.opt.Quick {
			break
		}
		other, err := t.placed(ctx, c, false)
		if err != nil {
			return nil, err
		}
		f = t.fastest(f, other)
	}
	return t.others(ctx, f)
}

// others compares what was found, which may be nil, with the plans of other strategies.
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
		f = t.fastest(f, other)
	}
	if f == nil {
		return nil, errNoPlan
	}
	return f, nil
}

// fastest returns the faster one of two plans, either of which may be nil.
func (t *task) fastest(f, g *found) *found {
	if f == nil || g != nil && t.plan(g).Latency < t.plan(f).Latency {
		return g
	}
	return f
}

func (t *task) nodes() int64 {
	if t.opt.SearchNodes > 0 {
		return t.opt.SearchNodes
	}
	return DefaultNodes(t.net)
}

// capacity is the budget rounded down, since every tensor takes a multiple of the alignment. Where
// that is too little it is rounded up, since the highest tensor may end anywhere.
func (t *task) capacity() int64 {
	down := t.budget &^ (model.Alignment - 1)
	for i, live := range t.problem.Live {
		if live+t.problem.Weights[i] > down {
			return model.Up(t.budget)
		}
	}
	return down
}
