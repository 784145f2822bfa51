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

// best searches for what to keep when memory is only counted, and gives the result addresses. It
// returns the plan of another strategy where that is faster.
func best(ctx context.Context, t *task) (*found, error) {
	s := relax.NewSearch(t.problem, t.capacity(), t.opt.Seed, false)
	s.Grow(ctx)
	if !t.opt.Quick {
		t.improve(ctx, s)
	}
	interrupted := ctx.Err() != nil
	settled := context.WithoutCancel(ctx)
	f, err := t.placed(settled, s.Best(), false)
	if err != nil {
		return nil, err
	}
	if f, err = t.faster(settled, f); err != nil {
		return nil, err
	}
	f.nodes, f.interrupted = s.Nodes, interrupted
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

// placed gives addresses to a choice of residents. It returns nil where it finds none.
func (t *task) placed(ctx context.Context, c relax.Choice, onDemand bool) (*found, error) {
	if c.Latency == relax.Never {
		return nil, nil
	}
	e := relax.NewEvaluator(t.problem)
	e.OnDemand = onDemand
	e.Latency(c.Resident, t.capacity())
	var before []int
	for _, loss := range losses {
		first := e.Late(c.Resident, c.Latency+time.Duration(loss*float64(c.Latency)))
		if equal(first, before) {
			continue
		}
		before = first
		nodes := int64(placeNodes)
		if t.opt.Quick {
			nodes = 1
		}
		p, ok, err := place.Place(ctx, t.net, c.Resident, first, t.budget, nodes)
		if err != nil {
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

// faster compares what was found, which may be nil, with the plans of other strategies, and
// returns the fastest.
func (t *task) faster(ctx context.Context, f *found) (*found, error) {
	if f != nil && t.plan(f).Latency == t.bound {
		return f, nil
	}
	others := []func(context.Context, *task) (*found, error){flexNN}
	if f == nil {
		others = append(others, onDemand)
	}
	for _, solve := range others {
		other, err := solve(ctx, t)
		if errors.Is(err, errNoPlan) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if f == nil || t.plan(other).Latency < t.plan(f).Latency {
			f = other
		}
	}
	if f == nil {
		return nil, errNoPlan
	}
	return f, nil
}

func (t *task) nodes() int64 {
	if t.opt.SearchNodes > 0 {
		return t.opt.SearchNodes
	}
	return DefaultNodes(t.net)
}

// capacity is the budget rounded down: every tensor takes a multiple of the alignment.
func (t *task) capacity() int64 { return t.budget &^ (model.Alignment - 1) }
