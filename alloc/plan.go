package alloc

import (
	"time"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// An Approach is a way of sharing memory (Pisarchyk and Lee 2020, sections 4 and 5).
type Approach string

const (
	// Offsets is one block of memory in which each tensor has an offset.
	Offsets Approach = "offsets"
	// Shared is a set of shared objects, each holding one whole tensor at a time.
	Shared Approach = "shared"
)

// A Plan says where every record goes. Its slices are indexed like the records
// it was made from.
type Plan struct {
	Approach Approach
	// Strategy is the name of the strategy that made the plan. For "auto" it is
	// still "auto"; Winner names the strategy whose plan it is.
	Strategy, Winner string
	// Tried is the number of strategies that made a plan to choose from.
	Tried int
	// Interrupted says that the context ended too early: before "auto" had tried every
	// strategy, before a search was complete, or before an exact strategy had a proof. The
	// plan is the best one found until then.
	Interrupted bool
	// Offsets holds each record's offset in bytes (approach Offsets only).
	Offsets []int64
	// Objects holds each record's shared object (approach Shared only).
	Objects []int
	// ObjectSizes holds each shared object's size in bytes (approach Shared only).
	ObjectSizes []int64
	// Total is the memory the plan needs, in bytes: the largest offset + size, or
	// the sum of the object sizes.
	Total int64
	// LowerBound is a number of bytes that no plan of this approach can go below.
	LowerBound int64
	// Optimal says that no plan can be smaller than Total; Proof says why.
	Optimal bool
	Proof   Proof
	// Nodes is the number of search nodes that an exact strategy visited.
	Nodes int64
	// Elapsed is the time that the strategy took, without the time for checking.
	Elapsed time.Duration
}

// Options chooses what [Solve] does.
type Options struct {
	Approach Approach
	// Strategy is a name from [Strategies]; empty means "auto".
	Strategy string
	// SearchTime is how long the exact strategy works on a plan that is not proven optimal.
	// Zero means [DefaultSearchTime] within [Auto]. For the exact strategy by itself zero
	// means any time: it works until it has a proof, or until the context ends.
	SearchTime time.Duration
	// Quick runs one strategy instead of all of them before a search begins, and makes
	// [Fit] leave out [Verdict.Core]. It is for many small problems.
	Quick bool
	// SearchNodes is about how many nodes the exact search may visit; zero means any
	// number. Unless time runs out first, the plan does not depend on the machine.
	SearchNodes int64
	// Seed chooses other random numbers for the exact search for offsets, which may make
	// it faster or slower. The same seed gives the same plan.
	Seed uint64
	// Workers is how many goroutines the exact search for offsets may use, at most 8; zero
	// means one for each processor. Unless time runs out, the plan does not depend on it.
	Workers int
	// Apart, when set, says for two records a < b how they must be apart: the differences
	// offset[b]-offset[a] in bytes that they may not have, as closed ranges, ascending and
	// disjoint. Where it is nil the records say it themselves: two that are held at a common
	// position share no byte. It is for records that may share bytes although both are in use.
	//
	// Apart is asked, any number of times, for records whose usage intervals meet and that are
	// not empty; a and b are indexes of the records that [Solve] or [Fit] is given. It may
	// forbid nothing that the records by themselves do not forbid, so that a strategy that knows
	// nothing of it makes right plans. Approach [Offsets] only.
	Apart func(a, b int) []lifetime.Range
	// Bound is a lower bound that the caller knows, with its reason. With Apart the largest
	// operator breadth is no lower bound: without a Bound, one is computed from all pairs.
	Bound Bound
	// Progress, when set, is called from the solving goroutine with each better plan and
	// each better bound.
	Progress func(Progress)
}

// A Bound is a number of bytes that no plan goes below, and its kind or reason. The zero Bound says
// nothing.
type Bound = problem.Bound

// A Proof is why no plan is smaller than another one. The zero Proof is none.
type Proof = problem.Proof

// The kinds of proofs, and the bound that is the most bytes in use at one operator.
const (
	ByBound  = problem.ByBound
	BySearch = problem.BySearch
	Breadth  = problem.Breadth
)

// A Progress says how far a strategy is: the total of the best plan and the lower bound, in
// bytes, the strategy that made the plan, and the search nodes visited so far.
type Progress struct {
	Strategy            string
	Total, Bound, Nodes int64
}

// Records are the input of a strategy: usage records that [lifetime.CheckRecords] has
// accepted. Their given order decides ties.
type Records = []lifetime.Record
