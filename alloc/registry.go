package alloc

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/internal/greedy"
	"github.com/tflarena/tflarena/alloc/internal/shared"
	"github.com/tflarena/tflarena/alloc/internal/strip"
)

// The names of strategies that programs ask for. [Strategies] lists all strategies.
const (
	// Auto tries all others, for both approaches.
	Auto = "auto"
	// Exact proves the smallest plan, or how close it is, for both approaches.
	Exact = "exact"
	// GreedyBySize places the largest tensor first, for both approaches.
	GreedyBySize = "greedy-by-size"
	// TFLMGreedy plans offsets as TensorFlow Lite Micro does at run time.
	TFLMGreedy = "tflm-greedy"
	// LiteRTArena plans offsets about as LiteRT's CPU arena does.
	LiteRTArena = "litert-arena"
)

// registry holds every strategy. The order matters: it is the order of reports,
// and auto keeps the first of equal plans. It is a function because auto's own
// solver reads it.
func registry() []Strategy {
	const (
		pisarchyk = "Pisarchyk and Lee 2020"
		lee       = "Lee et al. 2019, as in " + pisarchyk
		delegate  = "the TensorFlow Lite GPU delegate"
	)
	return []Strategy{
		{"naive", Offsets, "lays tensors end to end, shares nothing", pisarchyk + ", section 6", 0, offsets(greedy.Naive)},
		{GreedyBySize, Offsets, "largest tensor first, each in the smallest gap", pisarchyk + ", section 5.2", 0, offsets(greedy.BySize)},
		{"greedy-by-breadth", Offsets, "busiest operator first, each tensor in the smallest gap", pisarchyk + ", section 5.3", 0, offsets(greedy.ByBreadth)},
		{"greedy-in-order", Offsets, "in order of production, each tensor in the smallest gap", lee, 0, offsets(greedy.InOrder)},
		{"strip-packing", Offsets, "lowest skyline segment first, longest-lived tensor that fits", "Sekiyama et al. 2018, section 3.2", 0, offsets(strip.Pack)},
		{TFLMGreedy, Offsets, "what TensorFlow Lite Micro plans online: by size, first gap", "GreedyMemoryPlanner, TFLM 90b983c2", 0, offsets(greedy.TFLM)},
		{LiteRTArena, Offsets, "about what LiteRT's CPU arena plans: whole-run tensors, then by size", "ArenaPlanner and SimpleMemoryArena, LiteRT, approximated: whole-run stands for never released and allocated at node 0", 0, offsets(greedy.LiteRT)},
		{"by-urgency", Offsets, "tensors alive at the busiest operators first, each in the lowest gap", "Vela, the order its hill climb starts from", 0, offsets(greedy.ByUrgency)},
		{"tvm-conflicts", Offsets, "tensors alive with the most others first, each above those placed", "greedy_by_conflicts of TVM USMP", 0, offsets(greedy.ByConflicts)},
		{"hill-climb", Offsets, "by-urgency, then exchanges of tensors that hold up the highest one", "HillClimbAllocator of Vela", 0, search(greedy.HillClimb)},
		{"strip-packing-orders", Offsets, "strip-packing with the best of seven orders", "after Sekiyama et al. 2018, section 3.2", 0, search(strip.Orders)},
		{"strip-packing-search", Offsets, "strip-packing-orders, then a random local search over the order", "after Wei et al. 2011, An improved skyline based heuristic for the 2D strip packing problem", 0, search(strip.Search)},
		{Exact, Offsets, "proves the smallest arena, or how close it is", "a search of our own, after MiniMalloc (Moffitt 2023)", 0, solveExact},
		{Auto, Offsets, "the best of all others", "", 0, solveAuto},

		{"naive", Shared, "one object for each tensor", pisarchyk + ", section 6", 0, objects(shared.Naive)},
		{"equality", Shared, "reuses only objects of exactly the same size", delegate, 0, objects(shared.Equality)},
		{GreedyBySize, Shared, "largest tensor first, each in the smallest object", pisarchyk + ", section 4.3", 0, objects(shared.BySize)},
		{"greedy-by-size-improved", Shared, "by size in stages, nearest in time first", pisarchyk + ", section 4.4", 0, objects(shared.Improved)},
		{"greedy-by-size-distance", Shared, "as greedy-by-size-improved, in the stages of the authors' code", delegate, 0, objects(shared.Distance)},
		{"greedy-by-breadth", Shared, "busiest operator first, best fitting object", pisarchyk + ", section 4.2", 0, objects(shared.ByBreadth)},
		{"greedy-by-breadth-late", Shared, "greedy-by-breadth with the later of equal tensors first", pisarchyk + ", tables 1 and 2", 0, objects(shared.ByBreadthLate)},
		{"greedy-in-order", Shared, "in order of production, closest size", lee, 0, objects(shared.InOrder)},
		{"min-cost-flow", Shared, "chains of tensors from a minimum cost flow", lee, shared.MaxFlowRecords, objects(shared.MinCostFlow)},
		{Exact, Shared, "proves the smallest total, or how close it is", "a search of our own", 0, solveExact},
		{Auto, Shared, "the best of all others", "", 0, solveAuto},
	}
}

// Strategies returns the strategies of an approach in registry order, which is
// also the order in which [Auto] prefers equal plans.
func Strategies(a Approach) []Strategy {
	var of []Strategy
	for _, s := range registry() {
		if s.Approach == a {
			of = append(of, s)
		}
	}
	return of
}

// Lookup returns the strategy of that name. Its error, an [*UnknownStrategyError],
// names those that exist.
func Lookup(a Approach, name string) (Strategy, error) {
	all := Strategies(a)
	known := make([]string, len(all))
	for i, s := range all {
		if s.Name == name {
			return s, nil
		}
		known[i] = s.Name
	}
	return Strategy{}, &UnknownStrategyError{a, name, known}
}

// An UnknownStrategyError is [Lookup]'s error for a name, or an approach, that
// does not exist. Known is empty when the approach does not.
type UnknownStrategyError struct {
	Approach Approach
	Name     string
	Known    []string
}

// Error returns a sentence with the names that exist.
func (e *UnknownStrategyError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no approach %q: there are %q and %q", e.Approach, Offsets, Shared)
	}
	return fmt.Sprintf("no strategy %q for approach %s: there are %s", e.Name, e.Approach, strings.Join(e.Known, ", "))
}

// A TooManyRecordsError is [Solve]'s error for more records than a strategy
// accepts. [Auto] passes such strategies over.
type TooManyRecordsError struct {
	Strategy     string
	Records, Max int
}

// Error returns a sentence with both numbers.
func (e *TooManyRecordsError) Error() string {
	return fmt.Sprintf("strategy %s takes at most %d records, not %d", e.Strategy, e.Max, e.Records)
}
