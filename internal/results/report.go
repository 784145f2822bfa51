package results

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A Report is the data of one model on the page of "report".
type Report struct {
	Input   string `json:"input"`
	Runtime string `json:"runtime"`
	// The runtime's name for the planned memory.
	Label     string `json:"label"`
	Scratch   string `json:"scratch,omitempty"`
	ABI       string `json:"abi,omitempty"`
	FileBytes int64  `json:"file_bytes"`
	// Verdict on the unmodified model. Absent for other runtimes than TensorFlow Lite Micro.
	Verdict Verdict `json:"verdict,omitempty"`
	// What the verdict is about, and the kernels and the ABI, for people. Absent without a verdict.
	VerdictText string `json:"verdict_text,omitempty"`
	// Command line that repairs the model. Absent if it has no faults, or if rules do not avoid all of them.
	Next string `json:"next,omitempty"`
	// Budget of `--arena` in bytes, which required_bytes is compared with. Absent without one.
	BudgetBytes     int64 `json:"budget_bytes,omitzero"`
	HeadBudgetBytes int64 `json:"head_budget_bytes,omitzero"`
	// The model and its variants with other operators or another order. Each plan is for one of them.
	Graphs []ReportGraph `json:"graphs"`
	// Plans: first the runtime's plans of model files, then those of strategies, the best first.
	Plans    []ReportPlan `json:"plans"`
	Faults   []Fault      `json:"faults"`
	Notes    []Note       `json:"notes"`
	Warnings []Note       `json:"warnings"`

	// Fit is the command line that tiles the model, or "" if the runtime does not run it.
	Fit string `json:"-"`
}

// A ReportGraph is a model as a runtime runs it: positions, and the tensors alive at them.
type ReportGraph struct {
	// Variant of the model: the file, or what was made of it.
	Name       string `json:"name"`
	NaiveBytes int64  `json:"naive_bytes"`
	// Multiply-accumulates of one run of the graph.
	MACs int64 `json:"macs"`
	// Events at each position, in the order of execution: operators and entered subgraphs.
	Operators []Operator `json:"operators"`
	// Planned tensors in the order of the file, then scratch if that is counted.
	Tensors []ReportTensor `json:"tensors"`
	// Schedule of each position. Absent unless weights are prefetched.
	Layers []StreamLayer `json:"layers,omitempty"`
	// Whether positions are steps, which write and read parts of tensors. Absent if not.
	Tiled bool `json:"tiled,omitempty"`
	// Steps of the graph in tiles at which the positions begin, followed by the step at which the last position
	// ends. Absent without a graph in tiles.
	StartSteps []float64 `json:"start_steps,omitempty"`
}

// The names of graphs, and of plans in a model file. [PlanRewritten] is a plan for the operators in
// file order.
const (
	GraphFile      = "file"
	PlanRewritten  = "rewritten"
	GraphReordered = "reordered"
	GraphFitted    = "fitted"
	GraphTiles     = "tiles"
)

// A ReportTensor is a planned tensor with its role.
type ReportTensor struct {
	Tensor
	// Purpose of the tensor.
	Role lifetime.Role `json:"role"`
	Gaps []Gap         `json:"gaps,omitempty"`
	// Times at which parts of a tensor in tiles are in use. Absent from other graphs.
	Lives []ReportLife `json:"lives,omitempty"`
}

// A ReportPlan is a place for each tensor of a graph.
type ReportPlan struct {
	// Name of the plan: that of a graph, `rewritten`, or that of a strategy.
	Name string `json:"name"`
	// Title for people.
	Title string `json:"title"`
	// Name of the graph that the plan is for.
	Graph string `json:"graph"`
	// Whether the runtime makes this plan of a model file. The other plans are those of strategies.
	InModel bool `json:"in_model"`
	// What made the plan.
	Strategy string `json:"strategy"`
	// Figures are what the arena holds with the plan.
	rules.Figures
	// Contents of the tail; empty for other runtimes than TensorFlow Lite Micro.
	Parts           []ReportPart `json:"parts"`
	LowerBoundBytes int64        `json:"lower_bound_bytes"`
	// Whether no plan is smaller than this one.
	ProvenOptimal bool   `json:"proven_optimal"`
	Proof         string `json:"proof"`
	TensorsFixed  int    `json:"tensors_fixed"`
	ExtraMACs     int64  `json:"extra_macs"`
	// Command line that makes the model file with the plan; empty without one.
	Next string `json:"next"`
	// Start of each tensor of the graph, in bytes and in the order of its tensors.
	Offsets   []int64    `json:"offsets_bytes"`
	Takeovers []Takeover `json:"in_place"`
	Overlaps  []Overlap  `json:"overlaps"`
}

// A ReportPart is a part of the tail.
type ReportPart struct {
	// Name of the part.
	Name string `json:"name"`
	// Size of the part in bytes.
	Bytes int64 `json:"size_bytes"`
}

// NewReport returns the report of a model without any plan. The device is the zero value for runtimes
// other than TensorFlow Lite Micro.
func NewReport(v *rules.View, device rules.Device) *Report {
	return &Report{
		Input: v.Model.Name, Runtime: v.Rules.Name, Label: v.Rules.Figure, Scratch: device.ScratchSource(), ABI: device.ABI.Name, FileBytes: int64(len(v.Model.Data)),
		Graphs: []ReportGraph{}, Plans: []ReportPlan{}, Faults: NewFaults(v.Faults()), Notes: []Note{}, Warnings: []Note{},
	}
}

// AddGraph adds a graph, unless an equal one exists, and returns the name of that graph.
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

// Roles returns the role of each record of a model: see [ReportTensor].
func Roles(v *rules.View, records []lifetime.Record) []lifetime.Role {
	places := PlacesOf(v.Model, v.Usage)
	list := make([]lifetime.Role, 0, len(records))
	for _, r := range records {
		list = append(list, role(places[r.ID]))
	}
	return list
}

// StepNames returns the name of each position of a model.
func StepNames(v *rules.View) []string {
	list := make([]string, 0, len(v.Usage.Steps))
	for _, s := range v.Usage.Steps {
		list = append(list, stepName(v, s))
	}
	return list
}

// role returns the role of a tensor; nil is scratch.
func role(t *tflite.Tensor) lifetime.Role {
	switch {
	case t == nil:
		return lifetime.RoleScratch
	case t.Constant:
		return lifetime.RoleConstant
	case t.Variable:
		return lifetime.RoleVariable
	case t.Input:
		return lifetime.RoleInput
	case t.Output:
		return lifetime.RoleOutput
	}
	return lifetime.RoleActivation
}

// Decide sets the verdict on the unmodified model, whose figures these are.
func (r *Report) Decide(f rules.Figures, device rules.Device) {
	x := &ruling{figures: f, faults: r.Faults}
	if r.BudgetBytes > 0 {
		x.board.BudgetBytes = &r.BudgetBytes
	}
	r.Verdict = x.verdict()
	text, _ := x.text(Style{}, r.Warnings)
	r.VerdictText = text + " (" + builtFor(device.ABI.Name, NewKernelLibrary(device).Kernels) + ")"
}

// AddModel adds the runtime's plan of a model file, with a name and a title, and returns it for further
// data. Label is the name of its graph, unless the report has an equal graph already.
func (r *Report) AddModel(name, title string, carried *embedded.Carried, arena rules.Arena) *ReportPlan {
	o := carried.Outcome
	graph := name
	if name == PlanRewritten {
		graph = GraphFile
	}
	p := ReportPlan{
		Name: name, Title: title, Graph: r.AddGraph(graph, o.View, o.Records), InModel: true,
		Figures: arena.Stated(), Parts: partsOf(arena), TensorsFixed: o.Pinned, Offsets: present(o.Offsets),
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
