package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A ReportLife is bytes of a tiled tensor that are in use at the same time. Step s has the half steps
// 2s and 2s+1; both ends are inclusive.
type ReportLife struct {
	// First of the bytes, from the start of the tensor.
	OffsetBytes int64 `json:"offset_bytes"`
	// Number of bytes.
	SizeBytes int64 `json:"size_bytes"`
	// First half step in which the bytes are in use. Step s has the half steps 2s and 2s+1.
	FirstHalfStep int `json:"first_half_step"`
	// Last half step in which the bytes are in use, inclusive.
	LastHalfStep int `json:"last_half_step"`
}

// A PageError is the error for a plan with more steps or rectangles than a browser can show.
type PageError struct {
	Most int
	Of   string
}

// Error returns the limit and a remedy.
func (e *PageError) Error() string {
	return fmt.Sprintf("the plan has more than %s %s, too many for a page: use larger tiles, or draw the plan with -o svg=PATH", units.Number(int64(e.Most)), e.Of)
}

const pageSteps, pageRectangles = 20000, 100000

// NewTilesReport returns a plan of one case of a problem of tiles for a page: its positions are steps.
// The error is a [*PageError].
func NewTilesReport(input string, p tiles.Problem, plan *alloc.Plan) (*Report, error) {
	last := 0
	for _, t := range p.Tensors {
		for _, a := range t.Accesses {
			last = max(last, a.Step)
		}
		if t.Whole != nil {
			last = max(last, t.Whole.Last)
		}
	}
	r := tiledReport(input)
	if err := r.addTiled(GraphFile, "planned", p, plan, tileSteps{last: last}); err != nil {
		return nil, err
	}
	return r, nil
}

// NewTilingReport returns the plan of a tiled model for a page, and a plan of the model's whole
// tensors. The error is a [*PageError].
func NewTilingReport(input string, m *tflite.Model, subgraph int, onChip int64, found *tiling.Result) (*Report, error) {
	r := tiledReport(input)
	r.Graphs = append(r.Graphs, wholeGraph(m, subgraph, found))
	r.addOffChip(GraphFile, "whole tensors", GraphFile, found.Whole)
	steps := tileSteps{last: found.LastStep, operators: stepsOf(m, subgraph, found), places: Places{}}
	for i, t := range found.Indexes {
		steps.places[found.Tensors[i].ID] = &m.Subgraphs[subgraph].Tensors[t]
	}
	err := r.addTiled(GraphTiles, "in tiles with "+units.Bytes(onChip)+" on chip", found.Problem, found.Plan, steps)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func tiledReport(input string) *Report {
	return &Report{
		Input: input, Label: "memory off chip", Graphs: []ReportGraph{}, Plans: []ReportPlan{},
		Faults: []Fault{}, Notes: []Note{}, Warnings: []Note{},
	}
}

// addOffChip adds a plan of the off-chip memory.
func (r *Report) addOffChip(name, title, graph string, plan *alloc.Plan) {
	r.add(ReportPlan{
		Name: name, Title: title, Graph: graph, InModel: true, Strategy: plan.Winner, Figures: rules.Figures{Head: plan.Total},
		LowerBoundBytes: plan.LowerBound, ProvenOptimal: plan.Optimal, Proof: plan.Proof.String(), Offsets: present(plan.Offsets),
	})
}

// tileSteps is the data of steps: the number of the last one and, for a model, the operator of each one
// and the tensors.
type tileSteps struct {
	last      int
	operators []Operator
	places    Places
}

// addTiled adds a graph whose positions are steps, and its plan.
func (r *Report) addTiled(name, title string, p tiles.Problem, plan *alloc.Plan, steps tileSteps) error {
	if steps.last >= pageSteps {
		return &PageError{pageSteps, "steps"}
	}
	g := ReportGraph{Name: name, Tiled: true, Operators: steps.operators, Tensors: []ReportTensor{}}
	if g.Operators == nil {
		for k := range steps.last + 1 {
			g.Operators = append(g.Operators, Operator{Operator: -1, Position: k, Name: fmt.Sprintf("step %d", k), Inputs: []string{}, Outputs: []string{}})
		}
	}
	var m memorymap.Map
	rectangles := 0
	for i, t := range p.Tensors {
		own, whole, err := t.Lives(p.Semantics)
		if err != nil {
			panic("results: " + err.Error()) // they have been planned
		}
		lives := append(own, whole...)
		if rectangles += len(lives); rectangles > pageRectangles {
			return &PageError{pageRectangles, "rectangles"}
		}
		if t.ID == "" {
			t.ID = fmt.Sprint(i)
		}
		m.Lives = append(m.Lives, lives)
		g.NaiveBytes += t.Size
		g.Tensors = append(g.Tensors, tiledTensor(t, lives, steps.places))
		noteAccesses(g.Operators, t)
	}
	for _, s := range m.Sections() {
		for k := s.First; k <= s.Last; k++ {
			g.Operators[k].BreadthBytes, g.Operators[k].Alive = s.Breadth, s.Alive
		}
	}
	r.Graphs = append(r.Graphs, g)
	r.addOffChip(name, title, name, plan)
	return nil
}

// tiledTensor returns a tiled tensor for a page.
func tiledTensor(t lifetime.Tiled, lives []lifetime.Life, places Places) ReportTensor {
	x := ReportTensor{Tensor: NewTensor(places, tiledRecord(t, lives)), Role: lifetime.RoleTensor, Lives: []ReportLife{}}
	for _, l := range lives {
		x.Lives = append(x.Lives, ReportLife{OffsetBytes: l.Lo, SizeBytes: l.Hi - l.Lo, FirstHalfStep: l.First, LastHalfStep: l.Last})
	}
	if place := places[t.ID]; place != nil {
		x.Role = role(place)
	}
	return x
}

// tiledRecord returns a tiled tensor from the first step of its lives to the last.
func tiledRecord(t lifetime.Tiled, lives []lifetime.Life) lifetime.Record {
	r := lifetime.Record{ID: t.ID, Name: t.Name, Size: t.Size}
	for i, l := range lives {
		if i == 0 || l.First/2 < r.First {
			r.First = l.First / 2
		}
		r.Last = max(r.Last, l.Last/2)
	}
	return r
}

// noteAccesses records the tensor at each step that reads or writes it.
func noteAccesses(operators []Operator, t lifetime.Tiled) {
	once := func(list []string) []string {
		if n := len(list); n > 0 && list[n-1] == t.ID {
			return list
		}
		return append(list, t.ID)
	}
	for _, a := range t.Accesses {
		if o := &operators[a.Step]; a.Write {
			o.Outputs = once(o.Outputs)
		} else {
			o.Inputs = once(o.Inputs)
		}
	}
}
