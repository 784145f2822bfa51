package stream

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/internal/units"
)

// A Plan says which weights are resident, when the others are loaded, and where each tensor lies.
type Plan struct {
	// Strategy is the name of the strategy that made the plan. For [Best] it is still "best";
	// Winner names the strategy whose plan it is.
	Strategy, Winner string
	// Placement has the weights, steps and addresses. Its slices are indexed like the tensors
	// of the network.
	*Placement
	// Budget is how many bytes there are, Peak the end of the highest tensor, in bytes.
	Budget, Peak int64
	// Waits is the dependency plan: the load of layer i may begin when the layer Waits[i] has
	// computed, and with the run where that is 0.
	Waits []int
	// Timeline says when each layer loads and computes in a run that begins with the resident
	// weights in memory.
	Timeline *Timeline
	// Latency is how long such a run takes, First how long the first one takes, which loads the
	// resident weights beforehand.
	Latency, First time.Duration
	// LowerBound is a latency that no plan goes below.
	LowerBound time.Duration
	// Optimal says that no plan is faster; Proof says why.
	Optimal bool
	Proof   string
	// Notes say where the method that the plan follows would have made a wrong plan.
	Notes []string
	// Interrupted says that the context ended before the search did. The plan is the best one
	// found until then.
	Interrupted bool
	// Nodes is the number of choices that the search looked at.
	Nodes int64
	// Elapsed is the time that the strategy took, without the time for checking.
	Elapsed time.Duration
}

// Options chooses what [Solve] does.
type Options struct {
	// Strategy is a name from [Strategies]; empty means [Best].
	Strategy string
	// Quick leaves out the search that improves a plan.
	Quick bool
	// SearchNodes is about how many choices the search looks at; zero means [DefaultNodes] of the
	// network. What is found depends on it and on Seed, not on the machine, unless the context
	// ends.
	SearchNodes int64
	// Seed chooses other random numbers for the search.
	Seed uint64
	// Progress, when set, is called from the solving goroutine with each better latency.
	Progress func(Progress)
}

// A Progress says how far the search is: the latency that memory allows, when addresses are not
// yet looked at, the lower bound, and the number of choices looked at so far.
type Progress struct {
	Latency, LowerBound time.Duration
	Nodes               int64
}

// DefaultNodes returns how many choices the search looks at unless [Options] say something else:
// as many as take less than a second on a common machine.
func DefaultNodes(net *Network) int64 { return 40_000_000 / int64(max(len(net.Layers), 50)) }

// An InfeasibleError is [Solve]'s error for a budget in which there is no plan.
type InfeasibleError struct {
	// Budget is the budget asked for, in bytes.
	Budget int64
	// Least is the smallest budget that has a plan, in bytes, if Proven. Otherwise it is
	// the smallest one found.
	Least  int64
	Proven bool
}

// Error returns a sentence with both numbers.
func (e *InfeasibleError) Error() string {
	if !e.Proven {
		return fmt.Sprintf("no plan fits into %s: the least budget found is %s", units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
	}
	return fmt.Sprintf("no plan fits into %s: the least budget is %s", units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
}

// A NoPlanError is [Solve]'s error where a strategy finds no plan, although there is one.
type NoPlanError struct {
	Strategy string
	// Budget is the budget asked for and Least the smallest budget that has a plan, in bytes.
	Budget, Least int64
}

// Error returns a sentence with both numbers.
func (e *NoPlanError) Error() string {
	return fmt.Sprintf("strategy %s finds no plan in %s, although %s are enough", e.Strategy, units.ExactBytes(e.Budget), units.ExactBytes(e.Least))
}
