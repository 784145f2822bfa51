package results

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Plan is the output of "plan". Positions are inclusive.
type Plan struct {
	Input string `json:"input"`
	// Name of the case of a problem of tiles. Absent from other plans.
	Case string `json:"case,omitempty"`
	// Whether steps read everything before they write anything. Absent from plans without tiles.
	Semantics lifetime.Semantics `json:"semantics,omitempty"`
	// How memory is shared: tensors at offsets in one arena, or whole shared objects.
	Approach alloc.Approach `json:"approach"`
	// Requested strategy.
	Strategy string `json:"strategy"`
	// Strategy of the plan.
	Winner  string `json:"winner"`
	Runtime string `json:"runtime"`
	KernelLibrary
	// Number of planned tensors, and of scratch requests if those are counted.
	Records         int   `json:"records"`
	NaiveBytes      int64 `json:"naive_bytes"`
	LowerBoundBytes int64 `json:"lower_bound_bytes"`
	// Size of the plan in bytes: the end of the highest tensor, or the sum of the shared objects.
	TotalBytes int64 `json:"total_bytes"`
	// Whether no plan is smaller than this one.
	ProvenOptimal bool   `json:"proven_optimal"`
	Proof         string `json:"proof"`
	// Number of nodes of the exact search; 0 if none was needed.
	Nodes       int64 `json:"search_nodes"`
	Interrupted bool  `json:"interrupted"`
	// Planning time in nanoseconds.
	ElapsedNS int64 `json:"elapsed_ns"`
	// Whether the plan fits into the given capacity. Absent without one.
	Capacity *Capacity `json:"capacity,omitempty"`
	// Inputs that were given other shapes than in the file; the shapes of all other tensors follow from them. Empty
	// if all shapes are those of the file.
	InputShapes []InputShape `json:"input_shapes"`
	// How the model is computed tile by tile. Absent without `--tiles`.
	Tiling *Tiling `json:"tiling,omitempty"`
	// Hits and misses in the cache of `--cache`. Absent without it.
	Cache *Cache `json:"cache,omitempty"`
	// Rounds of planning. Absent if all sizes were planned at once.
	Waves *Waves `json:"waves,omitempty"`
	// Sizes of the shared objects in bytes, in their order. Absent for approach `offsets`.
	ObjectSizes []int64 `json:"object_sizes_bytes,omitzero"`
	// Positional maxima in bytes, the largest first: the i-th is the largest i-th size of the tensors in use at any operator. No
	// plan's i-th largest object is smaller. Absent for other approaches than `shared`.
	PositionalMaxima []int64 `json:"positional_maxima_bytes,omitzero"`
	// Width, height and, if textures have one, depth of each shared object. Absent for other approaches than
	// `textures`.
	ObjectShapes [][]int64 `json:"object_shapes,omitzero"`
	// Permitted in-place and overlapping outputs, as the flag `--alias` names them. Absent without any.
	Alias rules.Alias `json:"alias,omitempty"`
	// In-place outputs: they reuse the memory of an input that dies.
	Takeovers []Takeover `json:"in_place"`
	// Overlapping outputs: they are written over an input that the kernel still reads.
	Overlaps []Overlap `json:"overlaps"`
	// Command line that searches for a smaller plan or a proof; empty if there is a proof.
	Next string `json:"next"`
	// Place of each tensor.
	Placements []Placement `json:"placements"`
	Notes      []Note      `json:"notes"`
	Warnings   []Note      `json:"warnings"`
}

// A Placement is the place of one tensor: an offset or a shared object.
type Placement struct {
	Tensor
	// Start of the tensor, in bytes from the start of the arena. Absent for approach `shared`.
	OffsetBytes *int64 `json:"offset_bytes,omitempty"`
	// Number of the tensor's shared object, from 0. Absent for approach `offsets`.
	Object *int `json:"object,omitempty"`
	// Times at which the tensor holds less than its size. Absent without any.
	Gaps []Gap `json:"gaps,omitempty"`
}

// A Gap is a time at which a tensor holds only HeldBytes of its bytes, from HeldOffsetBytes on,
// relative to its own beginning.
type Gap struct {
	// First position at which the tensor holds less, inclusive; negative before the run.
	FirstOp int `json:"first_op"`
	// Last position at which the tensor holds less, inclusive; negative before the run.
	LastOp int `json:"last_op"`
	// Offset of the held bytes from the start of the tensor.
	HeldOffsetBytes int64 `json:"held_offset_bytes"`
	// Bytes that the tensor holds at this time.
	HeldBytes int64 `json:"held_bytes"`
}

// A Capacity is a budget with its verdict.
type Capacity struct {
	// Capacity in bytes.
	Bytes int64 `json:"capacity_bytes"`
	// Whether the capacity suffices, is proven too small, or neither.
	Verdict Feasibility `json:"verdict"`
	// Why the capacity is too small, for people. Absent if that is not proven.
	Proof string `json:"proof,omitempty"`
	// IDs of tensors that cannot fit into the capacity by themselves; empty if none are known.
	Core []string `json:"core"`
}

// Feasibility says whether a plan fits into a capacity.
type Feasibility string

// The values of [Feasibility].
const (
	Feasible   Feasibility = "fits"
	Infeasible Feasibility = "infeasible" // proven by a bound or a search
	Open       Feasibility = "open"       // neither met nor refuted
)

// NewPlan returns a plan of records as a result; places are a model's tensors.
func NewPlan(input, runtime string, places Places, records []lifetime.Record, p *alloc.Plan) *Plan {
	r := &Plan{
		Input: input, Runtime: runtime,
		Approach: p.Approach, Strategy: p.Strategy, Winner: p.Winner,
		Records: len(records), NaiveBytes: naive(p.Approach, records),
		LowerBoundBytes: p.LowerBound, TotalBytes: p.Total,
		ProvenOptimal: p.Optimal, Proof: p.Proof.String(), Nodes: p.Nodes, Interrupted: p.Interrupted, ElapsedNS: p.Elapsed.Nanoseconds(),
		Placements: make([]Placement, 0, len(records)), InputShapes: []InputShape{}, Takeovers: []Takeover{}, Overlaps: []Overlap{}, Notes: []Note{}, Warnings: []Note{},
	}
	if p.Approach == alloc.Shared {
		r.ObjectSizes, r.PositionalMaxima = present(p.ObjectSizes), present(lifetime.PositionalMaxima(records))
	}
	for i, rec := range records {
		l := Placement{Tensor: NewTensor(places, rec)}
		for _, g := range rec.Gaps {
			l.Gaps = append(l.Gaps, Gap{FirstOp: g.First, LastOp: g.Last, HeldOffsetBytes: g.Lo, HeldBytes: g.Hi - g.Lo})
		}
		if p.Approach == alloc.Shared {
			l.Object = &p.Objects[i]
		} else {
			l.OffsetBytes = &p.Offsets[i]
		}
		r.Placements = append(r.Placements, l)
	}
	return r
}

// Judge decides whether the plan fits into a capacity in bytes.
func (r *Plan) Judge(capacity int64) {
	verdict := Open
	switch {
	case r.TotalBytes <= capacity:
		verdict = Feasible
	case r.LowerBoundBytes > capacity || r.ProvenOptimal:
		verdict = Infeasible
	}
	r.Capacity = &Capacity{Bytes: capacity, Verdict: verdict, Proof: r.Proof, Core: []string{}}
}

// Decide sets the result of a search for a capacity in bytes.
func (r *Plan) Decide(capacity int64, v *alloc.Verdict) {
	r.Capacity = &Capacity{Bytes: capacity, Verdict: Open, Proof: v.Proof.String(), Core: []string{}}
	switch v.Answer {
	case alloc.Fits:
		r.Capacity.Verdict = Feasible
	case alloc.Misfit:
		r.Capacity.Verdict = Infeasible
	}
	for _, i := range v.Core {
		r.Capacity.Core = append(r.Capacity.Core, r.Placements[i].ID)
	}
}
