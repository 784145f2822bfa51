package stream

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/internal/residency"
)

// The names of the strategies.
const (
	// Best searches for resident layers and loads, and for offsets with the exact planner.
	Best = "best"
	// FlexNN plans as the program of Li et al. 2024, section 3.3.2.
	FlexNN = "flexnn"
	// ResidentOnly chooses resident layers and prefetches nothing.
	ResidentOnly = "resident-only"
	// OnDemand loads each layer before it computes and keeps nothing (Li et al. 2024, section 5.1).
	OnDemand = "on-demand"
)

// A strategy is a named way to plan.
type strategy struct {
	name  string
	solve func(context.Context, *task) (*found, error)
}

// strategies returns all strategies in the order of reports. It is a function because [best] runs
// the others.
func strategies() []strategy {
	return []strategy{{OnDemand, onDemand}, {ResidentOnly, residentOnly}, {FlexNN, flexNN}, {Best, best}}
}

// Strategies returns the names of all strategies in the order of reports.
func Strategies() (names []string) {
	for _, s := range strategies() {
		names = append(names, s.name)
	}
	return names
}

// lookup returns a strategy by its name, or an [*alloc.UnknownStrategyError].
func lookup(name string) (strategy, error) {
	all := strategies()
	if k := slices.IndexFunc(all, func(s strategy) bool { return s.name == name }); k >= 0 {
		return all[k], nil
	}
	return strategy{}, &alloc.UnknownStrategyError{Name: name, Known: Strategies()}
}

// onDemand keeps nothing resident and prefetches nothing. It finds a plan if there is one, unless
// the exact planner gives up.
func onDemand(ctx context.Context, t *task) (*found, error) {
	own := make([]int, len(t.net.Layers)) // each layer holds memory from its own step on
	for i := range own {
		own[i] = i
	}
	p, err := t.place(ctx, make([]bool, len(t.net.Layers)), own, fit, placeNodes)
	if err != nil {
		return nil, err
	}
	if p != nil {
		return &found{place: p, winner: OnDemand}, nil
	}
	least, err := Least(ctx, t.net)
	if err != nil {
		return nil, err
	}
	if least.Bytes > t.budget {
		return nil, errNoPlan
	}
	return &found{place: least.Placement, winner: OnDemand}, nil
}

// residentOnly keeps the layers resident that save the most time, and prefetches nothing.
func residentOnly(ctx context.Context, t *task) (*found, error) {
	s := residency.NewSearch(t.problem, t.capacity(), t.opt.Seed, true)
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
