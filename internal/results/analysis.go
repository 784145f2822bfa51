package results

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An Analysis is the output of "analyze" for one model. Positions are inclusive.
type Analysis struct {
	// Input as on the command line, `<stdin>` for standard input.
	Input string `json:"input"`
	// Rule set that the model was read with; empty for a CSV problem.
	Runtime string `json:"runtime"`
	// Size of the file in bytes. Absent for a CSV problem.
	FileBytes int64 `json:"file_bytes,omitzero"`
	// Verdict on the model. Absent for other runtimes than TensorFlow Lite Micro.
	Verdict Verdict `json:"verdict,omitempty"`
	// Figures are what the runtime needs for the model as it is, around the plan that the
	// model carries if it has one; where the rule set has no planner of its own, the head is
	// what the best plan needs. HeadPlanner is its strategy.
	rules.Figures
	// Strategy that determines head_bytes.
	HeadPlanner string `json:"head_planner"`
	// Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it.
	// Absent for other runtimes than TensorFlow Lite Micro.
	Scratch string `json:"scratch,omitempty"`
	// ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them. Absent for
	// other runtimes than TensorFlow Lite Micro.
	ABI string `json:"abi,omitempty"`
	KernelLibrary
	Board
	// Verdicts with the kernel libraries that devices ship. Absent if the figures are for a library that was chosen.
	OtherKernels []OtherBuild `json:"other_kernels,omitempty"`
	// Total of the best plan found, in bytes. It never exceeds head_bytes.
	BestBytes int64 `json:"best_bytes"`
	// Strategy of the best plan, the first of equals; `embedded` if no strategy beats the embedded plan.
	BestStrategy string `json:"best_strategy"`
	// Lower bound in bytes on any plan in this order of the operators, unless tensors share memory on purpose.
	LowerBoundBytes int64 `json:"lower_bound_bytes"`
	// Bytes that the tensors take without any sharing.
	NaiveBytes int64 `json:"naive_bytes"`
	// Whether no plan is smaller than the best one found.
	ProvenOptimal bool `json:"proven_optimal"`
	// Why no plan is smaller, for people; empty if that is not proven.
	Proof string `json:"proof"`
	// Multiply-accumulates of one run of the unmodified model.
	MACs int64 `json:"macs"`
	// Estimate of the time of one run. Absent without a measurement.
	Time *Time `json:"time,omitempty"`
	// Whether the time limit passed, or the user interrupted, before everything was tried.
	Interrupted bool `json:"interrupted"`
	// Memory plan embedded in the model. Absent if there is none that the runtime follows.
	EmbeddedPlan *EmbeddedPlan `json:"embedded_plan,omitempty"`
	// Arena with the best plan found. Absent for other runtimes than TensorFlow Lite Micro, and with arena_unknown.
	WithPlan *rules.Figures `json:"with_plan,omitempty"`
	// Figures of a TensorFlow Lite Micro built before a given day, which does not see control flow whose operator
	// code is only in the deprecated field. Absent if they are the same.
	OlderRuntime *OlderRuntime `json:"older_runtime,omitempty"`
	// Whether the embedded plan breaks a law, or cannot be followed.
	PlanBroken bool `json:"plan_broken"`
	// Results of the search for another order of the operators. Absent without a search.
	Order *Order `json:"order,omitempty"`
	// Arena with another order of the operators and a plan for it. Absent without a gain.
	WithOrder *rules.Figures `json:"with_order,omitempty"`
	// Best tiled model that a short search finds. Absent if it is no gain.
	Tiled *Outlook `json:"tiled,omitempty"`
	// Recommended command line: the one with the largest gain at the least cost; empty without one.
	Next string `json:"next"`
	// Position with the most live bytes, the first of equals. Absent if nothing is planned.
	Peak Peak `json:"peak,omitzero"`
	// Events at each position, in the order of execution: operators and entered subgraphs.
	Operators []Operator `json:"operators"`
	// Planned tensors in the order of the file, then scratch if that is counted.
	Tensors []Tensor `json:"tensors"`
	// Numbers of tensors that are not planned, by reason.
	LeftOut []LeftOut `json:"left_out"`
	// Repairable reports whether rules avoid all faults that fail a check.
	Repairable bool `json:"-"`
	// Known faults of the model in TensorFlow Lite Micro.
	Faults []Fault `json:"faults"`
	// Remarks that are needed to interpret the figures.
	Notes []Note `json:"notes"`
	// Unusual properties or errors of the input.
	Warnings []Note `json:"warnings"`

	// Layout is what a picture shows of the model.
	Layout *Layout `json:"-"`

	figure       string
	micro        bool
	runtimeTitle string
	ownPlanner   bool
}

// An EmbeddedPlan is a memory plan embedded in a model.
type EmbeddedPlan struct {
	// Number of tensors to which the plan gives an offset.
	TensorsFixed int `json:"tensors_fixed"`
	// Number of tensors that the runtime plans.
	TensorsPlanned int `json:"tensors_planned"`
	// Head without the plan, in bytes. Absent if it was not computed.
	OnlineBytes int64 `json:"head_without_plan_bytes,omitzero"`
}

// A LeftOut is a number of omitted tensors with the reason.
type LeftOut struct {
	// Why the tensors are not planned.
	Reason string `json:"reason"`
	// Number of tensors that are not planned for this reason.
	Tensors int `json:"tensor_count"`
}

// A Planner is the planner of a rule set's runtime.
type Planner struct {
	// Label is what the runtime calls the memory that is planned.
	Label string
	// Strategy is its planner among the strategies of approach offsets, empty when
	// the rule set stands for no runtime with a planner of its own.
	Strategy string
}

// NewAnalysis returns the analysis of a view, its records with or without scratch and their plans. Own
// is the plan of the runtime's planner, or nil if it has none.
func NewAnalysis(input string, v *rules.View, records []lifetime.Record, planner Planner, own, best *alloc.Plan) *Analysis {
	a := &Analysis{
		Input: input, Runtime: v.Rules.Name,
		Figures: rules.Figures{Head: best.Total}, HeadPlanner: best.Winner, MACs: runMACs(v),
		BestBytes: best.Total, BestStrategy: best.Winner, LowerBoundBytes: best.LowerBound,
		NaiveBytes: naive(alloc.Offsets, records), ProvenOptimal: best.Optimal, Proof: best.Proof.String(), Interrupted: best.Interrupted,
		Operators: operators(v, records), Tensors: make([]Tensor, 0, len(records)),
		LeftOut: []LeftOut{}, Faults: NewFaults(v.Faults()), Notes: RuleNotes(v.Notes), Warnings: []Note{},
		figure: planner.Label, micro: v.Rules.IsMicro(), runtimeTitle: v.Rules.Title,
	}
	if own != nil {
		a.Head, a.HeadPlanner, a.ownPlanner = own.Total, own.Winner, true
	}
	places := PlacesOf(v.Model, v.Usage)
	for _, r := range records {
		a.Tensors = append(a.Tensors, NewTensor(places, r))
	}
	for _, c := range v.CountLeftOut() {
		a.LeftOut = append(a.LeftOut, LeftOut{string(c.Reason), c.Tensors})
	}
	a.Peak = peak(v, records)
	return a
}
