package results

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An Analysis is what the command "analyze" prints of one model. Positions are
// inclusive.
type Analysis struct {
	Input   string `json:"input"`
	Runtime string `json:"runtime"`
	// Figures are what the runtime needs for the model as it is, around the plan that the
	// model carries if it has one; where the rule set has no planner of its own, the head is
	// what the best plan needs. HeadPlanner is its strategy.
	Figures
	HeadPlanner string `json:"head_planner"`
	// Scratch says which scratch of kernels is counted, ABI what the arena is counted for;
	// both are for TensorFlow Lite Micro alone.
	Scratch string `json:"scratch,omitempty"`
	ABI     string `json:"abi,omitempty"`
	KernelLibrary
	// BestBytes, and the figures that follow, are about what is planned, the head. BestBytes
	// is never above the head that there is.
	BestBytes       int64  `json:"best_bytes"`
	BestStrategy    string `json:"best_strategy"`
	LowerBoundBytes int64  `json:"lower_bound_bytes"`
	NaiveBytes      int64  `json:"naive_bytes"`
	ProvenOptimal   bool   `json:"proven_optimal"`
	Proof           string `json:"proof"`
	// MACs are the multiply-accumulates of one run of the model.
	MACs int64 `json:"macs"`
	// Interrupted says that time ran out before all strategies were tried.
	Interrupted bool `json:"interrupted"`
	// EmbeddedPlan is there when the runtime follows a plan that the model carries.
	EmbeddedPlan *EmbeddedPlan `json:"embedded_plan,omitempty"`
	// WithPlan is what the arena of TensorFlow Lite Micro would hold with the best plan.
	WithPlan *Figures `json:"with_plan,omitempty"`
	// OlderRuntime is that of a [Check].
	OlderRuntime *OlderRuntime `json:"older_runtime,omitempty"`
	// PlanBroken says that something is wrong with the plan that the model carries.
	PlanBroken bool `json:"plan_broken"`
	// Order is what another order of the operators would gain, where the rule set has a
	// planner of its own; WithOrder what the arena of TensorFlow Lite Micro would hold with
	// that and a plan for it, where that is less than with the best plan alone.
	Order     *Order   `json:"order,omitempty"`
	WithOrder *Figures `json:"with_order,omitempty"`
	// Pieces is what cutting the model may gain, where that is quick to know.
	Pieces *Outlook `json:"pieces,omitempty"`
	// Next is a command line that does what gains most for the least, empty where there is
	// nothing to do.
	Next string `json:"next"`
	// Peak is left out where nothing is planned.
	Peak      Peak       `json:"peak,omitzero"`
	Operators []Operator `json:"operators"`
	Tensors   []Tensor   `json:"tensors"`
	LeftOut   []LeftOut  `json:"left_out"`
	// Faults is what is known to go wrong when the runtime runs the model.
	Faults   []Fault `json:"faults"`
	Notes    []Note  `json:"notes"`
	Warnings []Note  `json:"warnings"`

	// Layout is what a picture shows of the model.
	Layout *Layout `json:"-"`

	figure       string
	micro        bool
	runtimeTitle string
	ownPlanner   bool
}

// An EmbeddedPlan is a memory plan that a model carries.
type EmbeddedPlan struct {
	TensorsFixed   int `json:"tensors_fixed"`
	TensorsPlanned int `json:"tensors_planned"`
	// OnlineBytes is the head that the runtime would make without it, zero where that was not
	// looked for.
	OnlineBytes int64 `json:"head_without_plan_bytes,omitzero"`
}

// A LeftOut says how many tensors were left out and why.
type LeftOut struct {
	Reason  string `json:"reason"`
	Tensors int    `json:"tensor_count"`
}

// A Planner is what a rule set's runtime plans with.
type Planner struct {
	// Label is what the runtime calls the memory that is planned.
	Label string
	// Strategy is its planner among the strategies of approach offsets, empty when
	// the rule set stands for no runtime with a planner of its own.
	Strategy string
}

// NewAnalysis returns what a view, its records with or without scratch and their plans say.
// Own is the plan of the runtime's planner, nil where it has none.
func NewAnalysis(input string, v *rules.View, records []lifetime.Record, planner Planner, own, best *alloc.Plan) *Analysis {
	a := &Analysis{
		Input: input, Runtime: v.Rules.Name,
		Figures: Figures{HeadBytes: best.Total}, HeadPlanner: best.Winner, MACs: runMACs(v),
		BestBytes: best.Total, BestStrategy: best.Winner, LowerBoundBytes: best.LowerBound,
		NaiveBytes: naive(alloc.Offsets, records), ProvenOptimal: best.Optimal, Proof: best.Proof, Interrupted: best.Interrupted,
		Operators: operators(v, records), Tensors: make([]Tensor, 0, len(records)),
		LeftOut: []LeftOut{}, Faults: NewFaults(v.Faults()), Notes: RuleNotes(v.Notes), Warnings: []Note{},
		figure: planner.Label, micro: v.Rules.IsMicro(), runtimeTitle: v.Rules.Title,
	}
	if own != nil {
		a.HeadBytes, a.HeadPlanner, a.ownPlanner = own.Total, own.Winner, true
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
