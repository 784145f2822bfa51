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
	// HeadBytes is what the runtime's own planner needs, around the plan that the model
	// carries if it has one; where the rule set has no planner of its own, what the best
	// plan needs. HeadPlanner is its strategy.
	Figures
	HeadPlanner     string `json:"head_planner"`
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
	// Order is what another order of the operators would gain, where the rule set has a
	// planner of its own.
	Order *Order `json:"order,omitempty"`
	// Pieces is what cutting the model may gain, where that is quick to know.
	Pieces *Outlook `json:"pieces,omitempty"`
	// Peak is left out where nothing is planned.
	Peak      Peak       `json:"peak,omitzero"`
	Operators []Operator `json:"operators"`
	Tensors   []Tensor   `json:"tensors"`
	LeftOut   []LeftOut  `json:"left_out"`
	// Refusals say why the runtime would not run the model, one for each kind of Obstacles.
	Refusals  []string   `json:"-"`
	Obstacles []Obstacle `json:"obstacles"`
	Notes     []Note     `json:"notes"`
	Warnings  []Note     `json:"warnings"`

	arenaLabel   string
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

// Follow says that the runtime follows the plan that the model carries, with which
// the head has so many bytes.
func (a *Analysis) Follow(head int64, fixed, planned int) {
	a.EmbeddedPlan = &EmbeddedPlan{TensorsFixed: fixed, TensorsPlanned: planned, OnlineBytes: a.HeadBytes}
	a.HeadBytes = head
}

// NewAnalysis returns what a view and its plans say. Own is the plan of the
// runtime's planner, nil where it has none.
func NewAnalysis(input string, v *rules.View, planner Planner, own, best *alloc.Plan) *Analysis {
	records := v.Records()
	a := &Analysis{
		Input: input, Runtime: v.Rules.Name,
		Figures: Figures{HeadBytes: best.Total}, HeadPlanner: best.Winner, MACs: runMACs(v),
		BestBytes: best.Total, BestStrategy: best.Winner, LowerBoundBytes: best.LowerBound,
		NaiveBytes: lifetime.Naive(records), ProvenOptimal: best.Optimal, Proof: best.Proof, Interrupted: best.Interrupted,
		Operators: operators(v), Tensors: make([]Tensor, 0, len(records)),
		LeftOut: []LeftOut{}, Refusals: rules.Group(v.Obstacles()), Obstacles: NewObstacles(v.Obstacles()), Notes: RuleNotes(v.Notes), Warnings: []Note{},
		arenaLabel: planner.Label, runtimeTitle: v.Rules.Title,
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
	a.Peak = peak(v)
	return a
}
