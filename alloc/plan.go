package alloc

import (
	"time"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// An Approach is a way of sharing memory (Pisarchyk and Lee 2020, sections 4 and 5).
type Approach string

const (
	// Offsets is one block of memory with an offset for each tensor.
	Offsets Approach = "offsets"
	// Shared is a set of shared objects, each holding one whole tensor at a time.
	Shared Approach = "shared"
)

// A Plan places every record. Its slices are indexed like the records it was made from.
type Plan struct {
	Approach Approach
	// Strategy is the name of the strategy that made the plan. For "auto" it stays "auto"; Winner names
	// the strategy whose plan was chosen.
	Strategy, Winner string
	// Tried is the number of strategies that made a plan to choose from.
	Tried int
	// Interrupted reports that the context ended early: before "auto" had tried every strategy, before
	// a search was complete, or before an exact strategy had a proof. The plan is the best one so far.
	Interrupted bool
	// Offsets are the records' offsets in bytes (approach Offsets only).
	Offsets []int64
	// Objects are the records' shared objects (approach Shared only).
	Objects []int
	// ObjectSizes are the sizes of the shared objects in bytes (approach Shared only).
	ObjectSizes []int64
	// Total is the size of the plan in bytes: the largest offset + size, or the sum of the object
	// sizes.
	Total int64
	// LowerBound is a lower bound of all plans of this approach, in bytes.
	LowerBound int64
	// Optimal reports that no plan is smaller than Total; Proof is the reason.
	Optimal bool
	Proof   Proof
	// Nodes is the number of search nodes that an exact strategy visited.
	Nodes int64
	// Elapsed is the time of the strategy, without the check.
	Elapsed time.Duration
}

// Options configures [Solve].
type Options struct {
	Approach Approach
	// Strategy is a name from [Strategies]; empty means "auto".
	Strategy string
	// SearchTime is the time limit of the exact strategy for a plan that is not proven optimal. Zero
	// means [DefaultSearchTime] within [Auto], and no limit for the exact strategy by itself: it works
	// until it has a proof or the context ends.
	SearchTime time.Duration
	// Quick runs one strategy instead of all before a search begins, and makes [Fit] omit
	// [Verdict.Core]. It is for many small problems.
	Quick bool
	// SearchNodes is the approximate limit of nodes of the exact search; zero means no limit. Unless
	// time runs out first, the plan does not depend on the machine.
	SearchNodes int64
	// Seed selects the random numbers of the exact search for offsets, which affects its speed. The
	// same seed gives the same plan.
	Seed uint64
	// Workers is the largest number of goroutines of the exact search for offsets, at most 8; zero
	// means one for each processor. Unless time runs out, the plan does not depend on it.
	Workers int
	// Forbidden, when set, returns for two records a < b the forbidden differences offset[b]-offset[a] in
	// bytes, as closed ranges, ascending and disjoint. If it is nil, two records that are held at a
	// common position share no byte. It is for records that may share bytes although both are in use.
	//
	// Forbidden is called, any number of times, for non-empty records whose usage intervals overlap; a
	// and b are indexes of the records given to [Solve] or [Fit]. It may forbid only differences that
	// the records by themselves forbid, so that a strategy without support for it makes valid plans.
	// Approach [Offsets] only.
	Forbidden func(a, b int) []lifetime.Range
	// Bound is a lower bound known to the caller, with its reason. With Forbidden the largest operator
	// breadth is no lower bound: without a Bound, one is computed from all pairs.
	Bound Bound
	// Progress, when set, is called from the solving goroutine with each better plan and each better
	// bound.
	Progress func(Progress)
}

// A Bound is a lower bound in bytes with its kind or reason. The zero Bound is no bound.
type Bound = problem.Bound

// A Proof is the reason why no plan is smaller, or why none fits into a capacity. The zero Proof is no
// proof.
type Proof = problem.Proof

// Kinds of proofs, and the bound by the most bytes in use at one operator.
const (
	ByBound  = problem.ByBound
	BySearch = problem.BySearch
	ByExcess = problem.ByExcess
	Breadth  = problem.Breadth
)

// A Progress reports the state of a strategy: the total of the best plan and the lower bound, in bytes,
// the strategy that made the plan, and the number of search nodes so far.
type Progress struct {
	Strategy            string
	Total, Bound, Nodes int64
}

// Records are the input of a strategy: usage records accepted by [lifetime.CheckRecords]. Their order
// breaks ties.
type Records = []lifetime.Record
