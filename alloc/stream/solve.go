package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/internal/bound"
	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A task is the input of a strategy.
type task struct {
	net     *network.Network
	problem *residency.Problem
	budget  int64
	opt     Options
	bound   time.Duration
}

// found is the result of a strategy.
type found struct {
	place       *network.Placement
	winner      string
	notes       []string
	nodes       int64
	interrupted bool
}

// errNoPlan is the error of a strategy that finds no plan.
var errNoPlan = errors.New("no plan found")

// Solve plans a network in budget bytes and checks the plan with package stream/check.
//
// It returns errors of [network.Network.Check], an [*alloc.UnknownStrategyError], an
// [*InfeasibleError] if no plan fits into the budget, a [*NoPlanError] if only the strategy finds
// none, and ctx.Err() if ctx ends before there is a plan. If ctx ends while [Best] searches, Solve
// returns the best plan so far.
func Solve(ctx context.Context, net *network.Network, budget int64, opt Options) (*Plan, error) {
	strategy, err := lookup(cmp.Or(opt.Strategy, Best))
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
	budget = min(budget, network.MaxBudget)
	t := &task{net: net, problem: residency.NewProblem(net), budget: budget, opt: opt, bound: bound.Quick(net, budget)}
	result, err := strategy.solve(ctx, t)
	if errors.Is(err, errNoPlan) {
		return nil, t.explain(ctx, strategy.name)
	}
	if err != nil {
		return nil, err
	}
	if t.plan(result).Latency > t.bound && !opt.Quick && len(net.Layers) <= bound.Most {
		t.bound = max(bound.Strong(net, budget), bound.Shares(net, budget))
	}
	plan := t.plan(result)
	plan.ReadBound = max(0, net.WeightBytes()-bound.Residents(net, budget))
	plan.Strategy, plan.Elapsed = strategy.name, time.Since(start)
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

// plan returns the plan of a placement.
func (t *task) plan(f *found) *Plan {
	p := &Plan{
		Winner: f.winner, Placement: f.place, Notes: f.notes, Nodes: f.nodes, Interrupted: f.interrupted,
		Budget: t.budget, Peak: f.place.Peak(t.net), Waits: f.place.Waits(t.net), LowerBound: t.bound,
	}
	loads, before := p.Loads(t.net)
	p.Read = p.ReadBytes(t.net)
	p.Timeline = network.Simulate(t.net, loads, p.Waits)
	p.Latency = p.Timeline.Latency()
	p.First = p.Latency + before
	p.Optimal = p.Latency == p.LowerBound
	return p
}

// explain returns the error for a strategy that found no plan.
func (t *task) explain(ctx context.Context, strategy string) error {
	least, err := Least(ctx, t.net)
	if err != nil {
		return err
	}
	if least.Bytes <= t.budget {
		return &NoPlanError{strategy, t.budget, least.Bytes}
	}
	return &InfeasibleError{t.budget, least.Bytes, least.Optimal}
}
