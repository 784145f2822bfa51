package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/internal/bound"
	"github.com/tflarena/tflarena/alloc/stream/internal/model"
	"github.com/tflarena/tflarena/alloc/stream/internal/relax"
)

// A task is what a strategy works on.
type task struct {
	net     *Network
	problem *relax.Problem
	budget  int64
	opt     Options
	bound   time.Duration
}

// found is what a strategy found.
type found struct {
	place       *Placement
	winner      string
	notes       []string
	nodes       int64
	interrupted bool
}

// errNoPlan says that a strategy found no plan.
var errNoPlan = errors.New("no plan found")

// Solve plans a network in budget bytes with one strategy, and returns the plan once the
// independent checker has passed it.
//
// Solve returns the error of [Network.Check], [*UnknownStrategyError], [*InfeasibleError] where no
// plan fits into the budget, [*NoPlanError] where only the strategy finds none, and ctx.Err() when
// ctx ends before there is a plan. When ctx ends while [Best] searches, Solve returns the best
// plan so far with Interrupted set.
func Solve(ctx context.Context, net *Network, budget int64, opt Options) (*Plan, error) {
	strategy, err := Lookup(cmp.Or(opt.Strategy, Best))
	if err != nil {
		return nil, err
	}
	if err := net.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	start := time.Now()
	budget = min(budget, model.MaxBudget)
	t := &task{net: net, problem: relax.NewProblem(net), budget: budget, opt: opt, bound: bound.Quick(net, budget)}
	result, err := strategy.solve(ctx, t)
	if errors.Is(err, errNoPlan) {
		return nil, t.explain(ctx, strategy.Name)
	}
	if err != nil {
		return nil, err
	}
	if t.plan(result).Latency > t.bound && !opt.Quick && len(net.Layers) <= bound.Most {
		t.bound = max(bound.Strong(net, budget), bound.Shares(net, budget))
	}
	plan := t.plan(result)
	plan.Strategy, plan.Elapsed = strategy.Name, time.Since(start)
	if err := check.Placement(net, plan.Placement, budget); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", plan.Winner, err)
	}
	if err := check.Run(net, plan.Placement, plan.Waits, plan.Timeline); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong timeline: %w", plan.Winner, err)
	}
	if plan.LowerBound > plan.Latency {
		return nil, fmt.Errorf("fault in tflarena, please report it: %v, but a lower bound of %v", plan.Latency, plan.LowerBound)
	}
	return plan, nil
}

// plan fills in what follows from a placement.
func (t *task) plan(f *found) *Plan {
	p := &Plan{
		Winner: f.winner, Placement: f.place, Notes: f.notes, Nodes: f.nodes, Interrupted: f.interrupted,
		Budget: t.budget, Peak: f.place.Peak(t.net), Waits: f.place.Waits(t.net), LowerBound: t.bound,
	}
	loads, before := p.Loads(t.net)
	p.Timeline = Simulate(t.net, loads, p.Waits)
	p.Latency = p.Timeline.Latency()
	p.First = p.Latency + before
	if p.Latency == p.LowerBound {
		p.Optimal, p.Proof = true, "the latency equals the lower bound"
	}
	return p
}

// explain returns the error of a strategy that found no plan.
func (t *task) explain(ctx context.Context, strategy string) error {
	least, err := Least(ctx, t.net, LeastOptions{})
	if err != nil {
		return err
	}
	if least.Bytes <= t.budget {
		return &NoPlanError{strategy, t.budget, least.Bytes}
	}
	return &InfeasibleError{t.budget, least.Bytes, least.Optimal}
}
