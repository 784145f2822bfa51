package stream

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/alloc/stream/internal/flex"
	"github.com/tflarena/tflarena/alloc/stream/internal/place"
	"github.com/tflarena/tflarena/alloc/stream/internal/relax"
)

// onDemand keeps nothing and loads nothing ahead. It finds a plan wherever there is one, unless
// the exact planner gives up.
func onDemand(ctx context.Context, t *task) (*found, error) {
	p, ok, err := place.Place(ctx, t.net, make([]bool, len(t.net.Layers)), ownSteps(t.net), t.budget, placeNodes)
	if err != nil {
		return nil, err
	}
	if ok {
		return &found{place: p, winner: OnDemand}, nil
	}
	least, err := Least(ctx, t.net, LeastOptions{})
	if err != nil {
		return nil, err
	}
	if least.Bytes > t.budget {
		return nil, errNoPlan
	}
	return &found{place: least.Placement, winner: OnDemand}, nil
}

// ownSteps returns for each layer its own step.
func ownSteps(net *Network) []int {
	steps := make([]int, len(net.Layers))
	for i := range steps {
		steps[i] = i
	}
	return steps
}

// residentOnly keeps the layers that save the most time and loads nothing ahead.
func residentOnly(ctx context.Context, t *task) (*found, error) {
	s := relax.NewSearch(t.problem, t.capacity(), t.opt.Seed, true)
	s.Grow(ctx, DefaultNodes(t.net))
	if !t.opt.Quick {
		s.Improve(ctx, t.nodes()/8, t.bound)
	}
	f, err := t.placed(ctx, s.Best(), true)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return onDemand(ctx, t)
	}
	f.winner, f.nodes, f.interrupted = ResidentOnly, s.Nodes, ctx.Err() != nil
	return f, nil
}

// flexNN plans as the paper says.
func flexNN(_ context.Context, t *task) (*found, error) {
	p, notes, err := flex.Plan(t.net, t.budget)
	if errors.Is(err, flex.ErrNoPlan) {
		return nil, errNoPlan
	}
	if err != nil {
		return nil, err
	}
	return &found{place: p, winner: FlexNN, notes: notes}, nil
}
