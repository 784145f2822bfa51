package results

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// A Plan is what the command "plan" prints. Positions are inclusive.
type Plan struct {
	Input string `json:"input"`
	// Case and Semantics are there for tiles alone: the name of a case of a problem of tiles, and
	// whether a step reads and writes at the same time.
	Case      string `json:"case,omitempty"`
	Semantics string `json:"semantics,omitempty"`
	Approach  string `json:"approach"`
	// Strategy is the one asked for, Winner the one whose plan it is.
	Strategy string `json:"strategy"`
	Winner   string `json:"winner"`
	// Runtime is the name of the rule set, empty for a CSV problem.
	Runtime string `json:"runtime"`
	KernelLibrary
	Records         int    `json:"records"`
	NaiveBytes      int64  `json:"naive_bytes"`
	LowerBoundBytes int64  `json:"lower_bound_bytes"`
	TotalBytes      int64  `json:"total_bytes"`
	ProvenOptimal   bool   `json:"proven_optimal"`
	Proof           string `json:"proof"`
	// Nodes counts those of the exact search: 0 where none was needed.
	Nodes int64 `json:"search_nodes"`
	// Interrupted says that time ran out before the strategy was done.
	Interrupted bool      `json:"interrupted"`
	ElapsedNS   int64     `json:"elapsed_ns"`
	Capacity    *Capacity `json:"capacity,omitempty"`
	// InputShapes are the inputs that were given other shapes than the file has.
	InputShapes []InputShape `json:"input_shapes"`
	// Tiling is there for a model that is computed tile by tile.
	Tiling *Tiling `json:"tiling,omitempty"`
	// Waves is there for a plan in waves.
	Waves *Waves `json:"waves,omitempty"`
	// ObjectSizes is there for shared objects alone.
	ObjectSizes []int64 `json:"object_sizes_bytes,omitzero"`
	// ObjectShapes is there for textures alone: the width, the height and perhaps the depth.
	ObjectShapes [][]int64 `json:"object_shapes,omitzero"`
	// Alias is which outputs were allowed to take over an input's memory, if any.
	Alias      string      `json:"alias,omitempty"`
	Takeovers  []Takeover  `json:"takeovers"`
	Overlaps   []Overlap   `json:"overlaps"`
	Placements []Placement `json:"placements"`
	Notes      []Note      `json:"notes"`
	Warnings   []Note      `json:"warnings"`
}

// A Placement is where one tensor lies: at an offset or in a shared object.
type Placement struct {
	Tensor
	OffsetBytes *int64 `json:"offset_bytes,omitempty"`
	Object      *int   `json:"object,omitempty"`
	// Gaps are the times at which the tensor holds less than its size.
	Gaps []Gap `json:"gaps,omitempty"`
}

// A Gap is a time at which a tensor holds less than its size: HeldBytes of it from
// HeldOffsetBytes on, where its own beginning is 0.
type Gap struct {
	FirstOp         int   `json:"first_op"`
	LastOp          int   `json:"last_op"`
	HeldOffsetBytes int64 `json:"held_offset_bytes"`
	HeldBytes       int64 `json:"held_bytes"`
}

// A Capacity is a budget and what is known of it.
type Capacity struct {
	Bytes int64 `json:"capacity_bytes"`
	// Verdict is one of [Fits], [Infeasible] and [Open].
	Verdict string `json:"verdict"`
	// Proof says why it is infeasible, Core which tensors cannot fit by themselves.
	Proof string   `json:"proof,omitempty"`
	Core  []string `json:"core"`
}

// The verdicts there are.
const (
	Fits       = "fits"
	Infeasible = "infeasible" // proven by a bound or a search
	Open       = "open"       // neither met nor refuted
)

// NewPlan returns a plan of records as a result; places are those of a model.
func NewPlan(input, runtime string, places Places, records []lifetime.Record, p *alloc.Plan) *Plan {
	r := &Plan{
		Input: input, Runtime: runtime,
		Approach: string(p.Approach), Strategy: p.Strategy, Winner: p.Winner,
		Records: len(records), NaiveBytes: naive(p.Approach, records),
		LowerBoundBytes: p.LowerBound, TotalBytes: p.Total,
		ProvenOptimal: p.Optimal, Proof: p.Proof, Nodes: p.Nodes, Interrupted: p.Interrupted, ElapsedNS: p.Elapsed.Nanoseconds(),
		Placements: make([]Placement, 0, len(records)), InputShapes: []InputShape{}, Takeovers: []Takeover{}, Overlaps: []Overlap{}, Notes: []Note{}, Warnings: []Note{},
	}
	if p.Approach == alloc.Shared {
		r.ObjectSizes = present(p.ObjectSizes)
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

// Judge says whether the plan fits into a capacity in bytes.
func (r *Plan) Judge(capacity int64) {
	verdict := Open
	switch {
	case r.TotalBytes <= capacity:
		verdict = Fits
	case r.LowerBoundBytes > capacity || r.ProvenOptimal:
		verdict = Infeasible
	}
	r.Capacity = &Capacity{Bytes: capacity, Verdict: verdict, Proof: r.Proof, Core: []string{}}
}

// Decide says what a search found out about a capacity in bytes.
func (r *Plan) Decide(capacity int64, v *alloc.Verdict) {
	r.Capacity = &Capacity{Bytes: capacity, Verdict: Open, Proof: v.Proof, Core: []string{}}
	switch v.Answer {
	case alloc.Fits:
		r.Capacity.Verdict = Fits
	case alloc.Misfit:
		r.Capacity.Verdict = Infeasible
	}
	for _, i := range v.Core {
		r.Capacity.Core = append(r.Capacity.Core, r.Placements[i].ID)
	}
}
