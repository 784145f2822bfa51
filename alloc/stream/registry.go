package stream

import (
	"context"
	"fmt"
	"strings"
)

// The names of the strategies.
const (
	// Best searches for the residents and the loads, and places them by the exact planner.
	Best = "best"
	// FlexNN plans as the authors of the paper do.
	FlexNN = "flexnn"
	// ResidentOnly keeps what it can and loads nothing ahead.
	ResidentOnly = "resident-only"
	// OnDemand keeps nothing and loads nothing ahead.
	OnDemand = "on-demand"
)

// A Strategy is one way to plan.
type Strategy struct {
	// Name is what [Options] and the command line call it.
	Name string
	// Summary says in one line what it does, Source where it was published.
	Summary, Source string

	solve func(ctx context.Context, t *task) (*found, error)
}

// registry holds every strategy in the order of reports. It is a function because the solver of
// best reads it.
func registry() []Strategy {
	const flexnn = "Li et al. 2024, FlexNN"
	return []Strategy{
		{Name: OnDemand, Summary: "loads each layer when its turn comes, keeps nothing", Source: flexnn + ", section 5.1", solve: onDemand},
		{Name: ResidentOnly, Summary: "keeps what it can, loads nothing ahead", solve: residentOnly},
		{Name: FlexNN, Summary: "activations first, then each layer's weights as early as memory allows", Source: flexnn + ", section 3.3.2, and the authors' program", solve: flexNN},
		{Name: Best, Summary: "searches for what to keep and when to load, addresses by the exact planner", Source: "a search of our own", solve: best},
	}
}

// Strategies returns all strategies in the order of reports.
func Strategies() []Strategy { return registry() }

// Lookup returns the strategy of that name. Its error, an [*UnknownStrategyError], names those
// that exist.
func Lookup(name string) (Strategy, error) {
	var known []string
	for _, s := range registry() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return Strategy{}, &UnknownStrategyError{name, known}
}

// An UnknownStrategyError is [Lookup]'s error for a name that does not exist.
type UnknownStrategyError struct {
	Name  string
	Known []string
}

// Error returns a sentence with the names that exist.
func (e *UnknownStrategyError) Error() string {
	return fmt.Sprintf("no strategy %q: there are %s", e.Name, strings.Join(e.Known, ", "))
}
