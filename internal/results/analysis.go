package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// An Analysis is what the command "analyze" prints of one model. Positions are
// inclusive.
type Analysis struct {
	SchemaVersion int    `json:"schema_version"`
	Input         string `json:"input"`
	Runtime       string `json:"runtime"`
	// Figures are what the runtime needs for the model as it is, around the plan that the
	// model carries if it has one; where the rule set has no planner of its own, the head is
	// what the best plan needs. HeadPlanner is its strategy.
	Figures
	HeadPlanner string `json:"head_planner"`
	// Scratch says which scratch of kernels is counted, ABI what the arena is counted for;
	// both are for TensorFlow Lite Micro alone.
	Scratch string `json:"scratch,omitempty"`
	ABI     string `json:"abi,omitempty"`
	// BestBytes, and the figures that follow, are about what is planned, the head. BestBytes
	// is never above the head that there is.
	BestBytes       int64  `json:"best_bytes"`
	BestStrategy    string `json:"best_strategy"`
	LowerBoundBytes int64  `json:"lower_bound_bytes"`
	NaiveBytes      int64  `json:"naive_bytes"`
	ProvenOptimal   bool   `json:"proven_optimal"`
	Proof           string `json:"proof"`
	// Interrupted says that time ran out before all strategies were tried.
	Interrupted bool `json:"interrupted"`
	// EmbeddedPlan is there when the runtime follows a plan that the model carries.
	EmbeddedPlan *EmbeddedPlan `json:"embedded_plan,omitempty"`
	// WithPlan is what the arena of TensorFlow Lite Micro would hold with the best plan.
	WithPlan *Figures `json:"with_plan,omitempty"`
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
	Next      string     `json:"next"`
	Peak      Peak       `json:"peak"`
	Operators []Operator `json:"operators"`
	Tensors   []Tensor   `json:"tensors"`
	LeftOut   []LeftOut  `json:"left_out"`
	Notes     []string   `json:"notes"`
	// Refusals say why the runtime would not run the model, one for each kind of
	// Obstacles.
	Refusals  []string   `json:"refusals"`
	Obstacles []Obstacle `json:"obstacles"`
	Warnings  []string   `json:"warnings"`

	figure       string
	micro        bool
	runtimeTitle string
	ownPlanner   bool
}

// A Peak is the position at which most bytes are alive, the first of equals.
type Peak struct {
	Position     int      `json:"position"`
	Operator     string   `json:"operator"`
	BreadthBytes int64    `json:"breadth_bytes"`
	Alive        []Tensor `json:"alive"`
}

// An Operator is one position: an operator that runs, or, where Operator is -1, a
// subgraph that is entered.
type Operator struct {
	Position     int    `json:"position"`
	Subgraph     int    `json:"subgraph"`
	Operator     int    `json:"operator"`
	Name         string `json:"name"`
	BreadthBytes int64  `json:"breadth_bytes"`
	Alive        int    `json:"alive"`
}

// A Tensor is a planned tensor.
type Tensor struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	FirstOp   int    `json:"first_op"`
	LastOp    int    `json:"last_op"`
	SizeBytes int64  `json:"size_bytes"`
}

// An EmbeddedPlan is a memory plan that a model carries.
type EmbeddedPlan struct {
	TensorsFixed   int `json:"tensors_fixed"`
	TensorsPlanned int `json:"tensors_planned"`
	// OnlineBytes is the head that the runtime would make without it.
	OnlineBytes int64 `json:"online_bytes"`
}

// A LeftOut says how many tensors were left out and why.
type LeftOut struct {
	Reason  string `json:"reason"`
	Tensors int    `json:"tensors"`
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
		SchemaVersion: SchemaVersion, Input: input, Runtime: v.Rules.Name,
		Figures: Figures{HeadBytes: best.Total}, HeadPlanner: best.Winner,
		BestBytes: best.Total, BestStrategy: best.Winner, LowerBoundBytes: best.LowerBound,
		NaiveBytes: naive(alloc.Offsets, records), ProvenOptimal: best.Optimal, Proof: best.Proof, Interrupted: best.Interrupted,
		Operators: operators(v, records), Tensors: make([]Tensor, 0, len(records)),
		LeftOut: []LeftOut{}, Notes: rules.NoteTexts(v.Notes), Refusals: present(rules.Group(v.Obstacles())), Obstacles: NewObstacles(v.Obstacles()), Warnings: []string{},
		figure: planner.Label, micro: v.Rules.IsMicro(), runtimeTitle: v.Rules.Title,
	}
	if own != nil {
		a.HeadBytes, a.HeadPlanner, a.ownPlanner = own.Total, own.Winner, true
	}
	for _, r := range records {
		a.Tensors = append(a.Tensors, NewTensor(r))
	}
	for _, c := range v.CountLeftOut() {
		a.LeftOut = append(a.LeftOut, LeftOut{string(c.Reason), c.Tensors})
	}
	a.Peak = peak(v, records)
	return a
}

// NewTensor returns a tensor as reports have it.
func NewTensor(r lifetime.Record) Tensor {
	return Tensor{ID: r.ID, Name: r.Name, FirstOp: r.First, LastOp: r.Last, SizeBytes: r.Size}
}

func peak(v *rules.View, records []lifetime.Record) Peak {
	section := lifetime.Peak(records)
	p := Peak{Position: section.First, BreadthBytes: section.Breadth, Alive: []Tensor{}}
	if len(records) == 0 {
		return p
	}
	p.Operator = "before the run"
	if section.First >= 0 && section.First < len(v.Usage.Steps) {
		p.Operator = stepName(v, v.Usage.Steps[section.First])
	}
	for _, i := range lifetime.Profile(records, section.First) {
		p.Alive = append(p.Alive, NewTensor(records[i]))
	}
	return p
}

func operators(v *rules.View, records []lifetime.Record) []Operator {
	steps := v.Usage.Steps
	list := make([]Operator, len(steps))
	for i, s := range steps {
		list[i] = Operator{Position: i, Subgraph: s.Subgraph, Operator: s.Operator, Name: stepName(v, s)}
	}
	for _, s := range lifetime.Sections(records) {
		for p := max(s.First, 0); p <= min(s.Last, len(steps)-1); p++ {
			list[p].BreadthBytes, list[p].Alive = s.Breadth, s.Alive
		}
	}
	return list
}

// stepName returns an operator's name, or what is entered.
func stepName(v *rules.View, s lifetime.Step) string {
	if s.Operator < 0 {
		return fmt.Sprintf("enter subgraph %d", s.Subgraph)
	}
	return v.Model.Subgraphs[s.Subgraph].Operators[s.Operator].Name
}

// Analyses is what the command "analyze" prints of several models.
type Analyses struct {
	SchemaVersion int         `json:"schema_version"`
	Analyses      []*Analysis `json:"analyses"`
}
