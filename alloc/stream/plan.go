package stream

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/units"
)

// A Plan is a placement with the times of a run.
type Plan struct {
	// Strategy is the strategy asked for, and Winner the one that made the plan. They differ only
	// for [Best].
	Strategy, Winner string
	*network.Placement
	// Budget and Peak, the end of the highest tensor, are in bytes.
	Budget, Peak int64
	// Read is the number of bytes of weights that a run reads. No plan in the budget reads fewer than ReadBound.
	Read, ReadBound int64
	// Waits is the layer that must have computed before the load of each layer may begin; 0 is the
	// start of the run.
	Waits []int
	// Timeline is a run that begins with the resident weights in memory.
	Timeline *network.Timeline
	// Latency is the duration of such a run. First is the duration of the first run, which loads the
	// resident weights before it begins.
	Latency, First time.Duration
	// LowerBound is a lower bound of the latency of every plan.
	LowerBound time.Duration
	// Optimal is set if the latency equals the lower bound: no plan is faster.
	Optimal bool
	// Notes list where the published program would have made a wrong plan; see [FlexNN].
	Notes []string
	// Interrupted is set if the context ended before the search. The plan is the best one so far.
	Interrupted bool
	// Nodes is the number of choices evaluated by the search.
	Nodes int64
	// Elapsed is the time of the strategy, without the checker.
	Elapsed time.Duration
}

// Options are the options of [Solve].
type Options struct {
	// Strategy is a name from [Strategies]; empty means [Best].
	Strategy string
	// Quick skips the search that improves a plan.
	Quick bool
	// SearchNodes is the approximate number of choices to evaluate; zero means [DefaultNodes]. The
	// result depends on it and on Seed, not on the machine, unless the context ends.
	SearchNodes int64
	// Seed seeds the random numbers of the search.
	Seed uint64
	// leastMemory leaves out what makes a run read less in memory that is free.
	leastMemory bool
	// Progress, if not nil, is called from the solving goroutine with each better latency.
	Progress func(Progress)
}

// A Progress is the state of a search: the best latency if memory is only counted, the lower bound,
// and the number of choices evaluated.
type Progress struct {
	Latency, LowerBound time.Duration
	Nodes               int64
}

// Unlimited as [Options.SearchNodes] searches until the context ends.
const Unlimited = 1 << 50

// DefaultNodes returns the default of [Options.SearchNodes], which takes less than a second on a
// common machine.
func DefaultNodes(net *network.Network) int64 { return 40_000_000 / int64(max(len(net.Layers), 50)) }

// An InfeasibleError is the error of [Solve] for a budget without any plan.
type InfeasibleError struct {
	Budget int64 // in bytes
	// Least is the smallest budget found that has a plan, in bytes. Proven is set if no smaller one
	// has a plan.
	Least  int64
	Proven bool
}

func (e *InfeasibleError) Error() string {
	if !e.Proven {
		return fmt.Sprintf("no plan fits into %s: the least budget found is %s", units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
	}
	return fmt.Sprintf("no plan fits into %s: the least budget is %s", units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
}

// A NoPlanError is the error of [Solve] if a strategy finds no plan although the budget has one.
type NoPlanError struct {
	Strategy string
	// Budget is the budget asked for, and Least the smallest one found that has a plan, in bytes.
	Budget, Least int64
}

func (e *NoPlanError) Error() string {
	return fmt.Sprintf("strategy %s finds no plan in %s, although %s are enough", e.Strategy, units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
}
