package results

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A Report is what the page of the command "report" shows of one model.
type Report struct {
	Input   string `json:"input"`
	Runtime string `json:"runtime"`
	// Label is what the runtime calls the memory that is planned.
	Label string `json:"label"`
	// Scratch says which scratch of kernels is counted, ABI what arenas are counted for; both
	// are for TensorFlow Lite Micro alone.
	Scratch   string `json:"scratch,omitempty"`
	ABI       string `json:"abi,omitempty"`
	FileBytes int64  `json:"file_bytes"`
	// The budgets that the model was fitted into, zero where there is none.
	ArenaBudgetBytes int64 `json:"arena_budget_bytes,omitzero"`
	HeadBudgetBytes  int64 `json:"head_budget_bytes,omitzero"`
	// Graphs are the model and what became of it; each plan is for one of them.
	Graphs   []ReportGraph `json:"graphs"`
	Plans    []ReportPlan  `json:"plans"`
	Faults   []Fault       `json:"faults"`
	Notes    []Note        `json:"notes"`
	Warnings []Note        `json:"warnings"`
}

// A ReportGraph is a model as a runtime runs it: positions, and what is alive at them.
type ReportGraph struct {
	// Name is one of [GraphFile], [GraphReordered], [GraphFitted] and [GraphTiles].
	Name       string         `json:"name"`
	NaiveBytes int64          `json:"naive_bytes"`
	MACs       int64          `json:"macs"`
	Operators  []Operator     `json:"operators"`
	Tensors    []ReportTensor `json:"tensors"`
	// Layers say when each position loads and computes, where weights are loaded ahead.
	Layers []StreamLayer `json:"layers,omitempty"`
	// Tiled says that positions are steps, which write and read tensors in parts. Of a model
	// beside one in tiles, StartSteps has the steps there at which its positions begin, and in the
	// end the one at which the last position ends.
	Tiled      bool      `json:"tiled,omitempty"`
	StartSteps []float64 `json:"start_steps,omitempty"`
}

// The names of graphs, and of the plans that stand in a model file. [PlanRewritten] is a plan for
// the operators as the file has them.
const (
	GraphFile      = "file"
	PlanRewritten  = "rewritten"
	GraphReordered = "reordered"
	GraphFitted    = "fitted"
	GraphTiles     = "tiles"
)

// A ReportTensor is a planned tensor, and what it is there for.
type ReportTensor struct {
	Tensor
	// Role is one of "input", "output", "activation", "variable", "constant" and "scratch"; where
	// weights are loaded ahead also "weight", "resident" and "intermediate", of a trace "block", and
	// of a problem of tiles "tensor".
	Role string `json:"role"`
	Gaps []Gap  `json:"gaps,omitempty"`
	// Lives are when which bytes of a tensor in tiles are in use.
	Lives []ReportLife `json:"lives,omitempty"`
}

// A ReportPlan is a place for each tensor of a graph.
type ReportPlan struct {
	// Name is the name of a graph or of a strategy, or [PlanRewritten].
	Name  string `json:"name"`
	Title string `json:"title"`
	// Graph is the name of the graph that the plan is for.
	Graph string `json:"graph"`
	// InModel says that the runtime makes this plan of a model file; the others are what a
	// strategy makes of its tensors.
	InModel  bool   `json:"in_model"`
	Strategy string `json:"strategy"`
	// Figures are what the arena holds with the plan.
	Figures
	// Parts are what the tail consists of.
	Parts           []ReportPart `json:"parts"`
	LowerBoundBytes int64        `json:"lower_bound_bytes"`
	ProvenOptimal   bool         `json:"proven_optimal"`
	Proof           string       `json:"proof"`
	TensorsFixed    int          `json:"tensors_fixed"`
	// ExtraMACs are multiply-accumulates beyond those of the model as it is.
	ExtraMACs int64 `json:"extra_macs"`
	// Next is a command line that makes the model file which has the plan.
	Next string `json:"next"`
	// Offsets are parallel to the tensors of the graph.
	Offsets []int64 `json:"offsets_bytes"`
	// Takeovers and Overlaps are the tensors that share memory on purpose, as far as it is known
	// why.
	Takeovers []Takeover `json:"takeovers"`
	Overlaps  []Overlap  `json:"overlaps"`
}

// A ReportPart is a part of the tail.
type ReportPart struct {
	Name  string `json:"name"`
	Bytes int64  `json:"size_bytes"`
}

// NewReport returns the report of a model without any plan. The device is the zero value for other runtimes than
// TensorFlow Lite Micro.
func NewReport(v *rules.View, device rules.Device) *Report {
	return &Report{
		Input: v.Model.Name, Runtime: v.Rules.Name, Label: v.Rules.Figure, Scratch: device.ScratchSource(), ABI: device.ABI, FileBytes: int64(len(v.Model.Data)),
		Graphs: []ReportGraph{}, Plans: []ReportPlan{}, Faults: NewFaults(v.Faults()), Notes: []Note{}, Warnings: []Note{},
	}
}

// AddGraph adds a graph, unless there is one that is the same, and returns the name of the one that
// there is.
func (r *Report) AddGraph(name string, v *rules.View, records []lifetime.Record) string {
	g := ReportGraph{Name: name, NaiveBytes: lifetime.Naive(records), MACs: runMACs(v), Operators: operators(v, records), Tensors: []ReportTensor{}}
	places := PlacesOf(v.Model, v.Usage)
	for _, rec := range records {
		g.Tensors = append(g.Tensors, ReportTensor{Tensor: NewTensor(places, rec), Role: role(places[rec.ID]), Gaps: gapsOf(rec)})
	}
	same := func(have ReportGraph) bool {
		return reflect.DeepEqual(have.Operators, g.Operators) && reflect.DeepEqual(have.Tensors, g.Tensors)
	}
	if i := slices.IndexFunc(r.Graphs, same); i >= 0 {
		return r.Graphs[i].Name
	}
	r.Graphs = append(r.Graphs, g)
	return name
}

// Roles returns what each record of a model is there for: see [ReportTensor].
func Roles(v *rules.View, records []lifetime.Record) []string {
	places := PlacesOf(v.Model, v.Usage)
	list := make([]string, 0, len(records))
	for _, r := range records {
		list = append(list, role(places[r.ID]))
	}
	return list
}

// StepNames returns the names of what happens at each position of a model.
func StepNames(v *rules.View) []string {
	list := make([]string, 0, len(v.Usage.Steps))
	for _, s := range v.Usage.Steps {
		list = append(list, stepName(v, s))
	}
	return list
}

// role says what a tensor is there for. What is no tensor of the model is scratch.
func role(t *tflite.Tensor) string {
	switch {
	case t == nil:
		return "scratch"
	case t.Constant:
		return "constant"
	case t.Variable:
		return "variable"
	case t.Input:
		return "input"
	case t.Output:
		return "output"
	}
	return "activation"
}

// AddModel adds the plan that the runtime makes of a model file, which has a name and a title, and
// returns it for what else is known of it. Label is the name of its graph, unless the report has the
// same graph already.
func (r *Report) AddModel(name, title string, carried *embedded.Carried, arena rules.Arena) *ReportPlan {
	o := carried.Outcome
	graph := name
	if name == PlanRewritten {
		graph = GraphFile
	}
	p := ReportPlan{
		Name: name, Title: title, Graph: r.AddGraph(graph, o.View, o.Records), InModel: true,
		Figures: NewFigures(arena), Parts: partsOf(arena), TensorsFixed: o.Pinned, Offsets: present(o.Offsets),
	}
	return r.add(p)
}

// add adds a plan and returns it.
func (r *Report) add(p ReportPlan) *ReportPlan {
	p.Takeovers, p.Overlaps, p.Parts = present(p.Takeovers), present(p.Overlaps), present(p.Parts)
	r.Plans = append(r.Plans, p)
	return &r.Plans[len(r.Plans)-1]
}

func partsOf(arena rules.Arena) []ReportPart {
	list := make([]ReportPart, 0, len(arena.Parts))
	for _, p := range arena.Parts {
		list = append(list, ReportPart{p.Name, p.Bytes})
	}
	return list
}
