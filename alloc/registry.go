package alloc

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/internal/distances"
	"github.com/tflarena/tflarena/alloc/internal/greedy"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/shared"
	"github.com/tflarena/tflarena/alloc/internal/strip"
)

// Names of strategies used by programs. [Strategies] lists all strategies.
const (
	// Auto tries all others, for both approaches.
	Auto = "auto"
	// Exact proves the smallest plan, or a bound, for both approaches.
	Exact = "exact"
	// GreedyBySize places the largest tensor first, for both approaches.
	GreedyBySize = "greedy-by-size"
	// TFLMGreedy plans offsets as TensorFlow Lite Micro does at run time.
	TFLMGreedy = "tflm-greedy"
	// LiteRTArena plans offsets about as LiteRT's CPU arena does.
	LiteRTArena = "litert-arena"
)

// registry holds every strategy in the order of reports; auto keeps the first of equal plans. It is a
// function because auto's own solver reads it.
func registry() []Strategy {
	const (
		pisarchyk = "Pisarchyk and Lee 2020"
		lee       = "Lee et al. 2019, as in " + pisarchyk
		delegate  = "the TensorFlow Lite GPU delegate"
		kvochko   = "Kvochko et al. 2024, Algorithm 1"

		greedily  = "O(n k log n)"
		tileAware = "O(n k d log(k d)) with d forbidden ranges for a pair"
	)
	return []Strategy{
		{Name: "naive", Approach: Offsets, Summary: "lays tensors end to end, shares nothing", Source: pisarchyk + ", section 6", Complexity: "O(n)", solve: offsets(greedy.Naive)},
		{Name: GreedyBySize, Approach: Offsets, Summary: "largest tensor first, each in the smallest gap", Source: pisarchyk + ", section 5.2", Complexity: greedily, solve: offsets(greedy.BySize)},
		{Name: "greedy-by-breadth", Approach: Offsets, Summary: "busiest operator first, each tensor in the smallest gap", Source: pisarchyk + ", section 5.3", Complexity: greedily, solve: offsets(greedy.ByBreadth(problem.BreadthTies{}))},
		{Name: "greedy-by-breadth-late-ops", Approach: Offsets, Summary: "greedy-by-breadth with the later of equally busy operators first", Source: pisarchyk + ", table 2", Complexity: greedily, solve: offsets(greedy.ByBreadth(problem.BreadthTies{LateOperators: true}))},
		{Name: "greedy-in-order", Approach: Offsets, Summary: "in order of production, each tensor in the smallest gap", Source: lee, Complexity: greedily, solve: offsets(greedy.InOrder)},
		{Name: "strip-packing", Approach: Offsets, Summary: "lowest skyline segment first, longest-lived tensor that fits", Source: "Sekiyama et al. 2018, section 3.2", Complexity: greedily, solve: offsets(strip.Pack)},
		{Name: "strip-packing-by-row", Approach: Offsets, Summary: "strip-packing with tensors of equal life in row order", Source: "Sekiyama et al. 2018, as in " + pisarchyk + ", table 2", Complexity: greedily, solve: offsets(strip.PackByRow)},
		{Name: TFLMGreedy, Approach: Offsets, Summary: "what TensorFlow Lite Micro plans online: by size, first gap", Source: "GreedyMemoryPlanner, TFLM 90b983c2", Complexity: greedily, solve: offsets(greedy.TFLM)},
		{Name: LiteRTArena, Approach: Offsets, Summary: "about what LiteRT's CPU arena plans: whole-run tensors, then by size", Source: "ArenaPlanner and SimpleMemoryArena, LiteRT, approximated: whole-run stands for never released and allocated at node 0", Complexity: greedily, solve: offsets(greedy.LiteRT)},
		{Name: "by-urgency", Approach: Offsets, Summary: "tensors alive at the busiest operators first, each in the lowest gap", Source: "Vela, the order its hill climb starts from", Complexity: greedily, solve: offsets(greedy.ByUrgency)},
		{Name: "tvm-conflicts", Approach: Offsets, Summary: "tensors alive with the most others first, each above those placed", Source: "greedy_by_conflicts of TVM USMP", Complexity: greedily, solve: offsets(greedy.ByConflicts)},
		{Name: "hill-climb", Approach: Offsets, Summary: "by-urgency, then exchanges of tensors that hold up the highest one", Source: "HillClimbAllocator of Vela", Complexity: "O(n²) for a step, limited to 100 n steps and 100 million visited spans", solve: search(greedy.HillClimb)},
		{Name: "strip-packing-orders", Approach: Offsets, Summary: "strip-packing with the best of seven orders", Source: "after Sekiyama et al. 2018, section 3.2", Complexity: "strip-packing up to seven times, and at most a million placements after the first", solve: search(strip.Orders)},
		{Name: "strip-packing-search", Approach: Offsets, Summary: "strip-packing-orders, then a random local search over the order", Source: "after Wei et al. 2011, An improved skyline based heuristic for the 2D strip packing problem", Complexity: "limited to 150 million visited positions", solve: search(strip.Search)},
		{Name: "tile-aware-by-size", Approach: Offsets, Summary: "largest tensor first, each at the lowest offset that its bytes' lives allow", Source: kvochko, Complexity: tileAware, solve: withDistances((*distances.Problem).BySize)},
		{Name: "tile-aware-by-length", Approach: Offsets, Summary: "as tile-aware-by-size, longest-lived tensor first", Source: kvochko, Complexity: tileAware, solve: withDistances((*distances.Problem).ByLength)},
		{Name: "tile-aware-by-peers", Approach: Offsets, Summary: "as tile-aware-by-size, tensor alive with the most others first", Source: kvochko, Complexity: tileAware, solve: withDistances((*distances.Problem).ByPeers)},
		{Name: "tile-aware-printed", Approach: Offsets, Summary: "the best of these three orders with the step that the paper prints", Source: "Kvochko et al. 2024, Algorithms 1 and 2 as printed", Complexity: "O(n k d s) with d forbidden ranges for a pair and s steps to a free offset", solve: withDistances((*distances.Problem).Printed)},
		{Name: "tile-aware-best-fit", Approach: Offsets, Summary: "largest tensor first, each where it can be moved least", Source: "after " + kvochko, Complexity: tileAware, solve: withDistances((*distances.Problem).BestFit)},
		{Name: Exact, Approach: Offsets, Summary: "proves the smallest arena, or how close it is", Source: "a search of our own, after MiniMalloc (Moffitt 2023)", Complexity: "exponential at worst", solve: solveExact},
		{Name: Auto, Approach: Offsets, Summary: "the best of all others", Source: "", Complexity: "the sum of all others", solve: solveAuto},

		{Name: "naive", Approach: Shared, Summary: "one object for each tensor", Source: pisarchyk + ", section 6", Complexity: "O(n)", solve: objects(shared.Naive)},
		{Name: "equality", Approach: Shared, Summary: "reuses only objects of exactly the same size", Source: delegate, Complexity: "O(n log n)", solve: objects(shared.Equality)},
		{Name: GreedyBySize, Approach: Shared, Summary: "largest tensor first, each in the smallest object", Source: pisarchyk + ", section 4.3", Complexity: greedily, solve: objects(shared.BySize)},
		{Name: "greedy-by-size-first-fit", Approach: Shared, Summary: "largest tensor first, each in the first object that is free", Source: pisarchyk + ", table 1", Complexity: greedily, solve: objects(shared.BySizeFirstFit)},
		{Name: "greedy-by-size-improved", Approach: Shared, Summary: "by size in stages, nearest in time first", Source: pisarchyk + ", section 4.4", Complexity: "O(n log n) for networks, O(n²) at worst", solve: objects(shared.Improved)},
		{Name: "greedy-by-size-distance", Approach: Shared, Summary: "as greedy-by-size-improved, in the stages of the authors' code", Source: delegate, Complexity: "O(n log n) for networks, O(n²) at worst", solve: objects(shared.Distance)},
		{Name: "greedy-by-breadth", Approach: Shared, Summary: "busiest operator first, best fitting object", Source: pisarchyk + ", section 4.2", Complexity: greedily, solve: objects(shared.ByBreadth(problem.BreadthTies{}))},
		{Name: "greedy-by-breadth-late", Approach: Shared, Summary: "greedy-by-breadth with the later of equal tensors first", Source: pisarchyk + ", tables 1 and 2", Complexity: greedily, solve: objects(shared.ByBreadth(problem.BreadthTies{LateTensors: true}))},
		{Name: "greedy-by-breadth-late-ops", Approach: Shared, Summary: "greedy-by-breadth with the later of equally busy operators first", Source: pisarchyk + ", table 1", Complexity: greedily, solve: objects(shared.ByBreadth(problem.BreadthTies{LateOperators: true}))},
		{Name: "greedy-in-order", Approach: Shared, Summary: "in order of production, closest size", Source: lee, Complexity: "O(n log n)", solve: objects(shared.InOrder)},
		{Name: "min-cost-flow", Approach: Shared, Summary: "chains of tensors from a minimum cost flow", Source: lee, Complexity: "O(n³)", MaxRecords: shared.MaxFlowRecords, solve: objects(shared.MinCostFlow)},
		{Name: Exact, Approach: Shared, Summary: "proves the smallest total, or how close it is", Source: "a search of our own", Complexity: "exponential at worst", solve: solveExact},
		{Name: Auto, Approach: Shared, Summary: "the best of all others", Source: "", Complexity: "the sum of all others", solve: solveAuto},
	}
}

// Strategies returns the strategies of an approach in registry order; [Auto] prefers equal plans in
// this order.
func Strategies(a Approach) []Strategy {
	var of []Strategy
	for _, s := range registry() {
		if s.Approach == a {
			of = append(of, s)
		}
	}
	return of
}

// Lookup returns the strategy of that name. Its error, an [*UnknownStrategyError], lists the known
// names.
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

// An UnknownStrategyError is the error for an unknown strategy or approach. Known is empty if the
// approach is unknown. Approach is empty for strategies of package alloc/stream, which have none.
type UnknownStrategyError struct {
	Approach Approach
	Name     string
	Known    []string
}

// Error returns a sentence with the known names.
func (e *UnknownStrategyError) Error() string {
	switch {
	case len(e.Known) == 0:
		return fmt.Sprintf("no approach %q: there are %q and %q", e.Approach, Offsets, Shared)
	case e.Approach == "":
		return fmt.Sprintf("no strategy %q: there are %s", e.Name, strings.Join(e.Known, ", "))
	}
	return fmt.Sprintf("no strategy %q for approach %s: there are %s", e.Name, e.Approach, strings.Join(e.Known, ", "))
}

// A TooManyRecordsError is the error of [Solve] for more records than a strategy accepts. [Auto] skips
// such strategies.
type TooManyRecordsError struct {
	Strategy     string
	Records, Max int
}

// Error returns a sentence with both numbers.
func (e *TooManyRecordsError) Error() string {
	return fmt.Sprintf("strategy %s takes at most %d records, not %d", e.Strategy, e.Max, e.Records)
}
