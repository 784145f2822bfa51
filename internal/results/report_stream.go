package results

import (
	"cmp"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Report returns a plan with prefetched weights for a page: its positions are the steps of the layers,
// and its graph has the times at which these load and compute. The layers are the operators of a model, or
// of an unknown network if the model is nil.
func (r *Stream) Report(m *tflite.Model) *Report {
	g := ReportGraph{Name: GraphFile, Operators: r.layerOperators(m), Tensors: []ReportTensor{}, Layers: r.Layers}
	p := ReportPlan{
		Name: GraphFile, Title: "prefetched weights", Graph: GraphFile, InModel: true, Strategy: r.Winner,
		Figures: rules.Figures{Head: r.PeakBytes}, Offsets: []int64{},
	}
	places, seen := Places{}, map[string]bool{}
	if m != nil {
		g.MACs = op.RunMACs(m, 0)
		for t := range m.Subgraphs[0].Tensors {
			places[m.TensorID(0, t)] = &m.Subgraphs[0].Tensors[t]
		}
	}
	for i, place := range r.Placements {
		t := r.net.Tensors[i]
		rec := lifetime.Record{ID: fmt.Sprintf("%s:%d", place.Type, place.Index), Name: t.Name, Size: place.SizeBytes, First: place.FirstStep, Last: place.LastStep}
		switch x := places[t.Name]; {
		case x != nil && !seen[t.Name]:
			rec.ID, rec.Name, seen[t.Name] = t.Name, x.Name, true
		case t.Name == "":
			rec.Name = fmt.Sprintf("%s of layer %d", place.Type, t.First)
		}
		g.Tensors = append(g.Tensors, ReportTensor{Tensor: NewTensor(places, rec), Role: place.role()})
		p.Offsets = append(p.Offsets, place.OffsetBytes)
		g.NaiveBytes += place.SizeBytes
		for k := place.FirstStep; k <= place.LastStep; k++ {
			g.Operators[k].BreadthBytes += place.SizeBytes
			g.Operators[k].Alive++
		}
		switch o := &g.Operators[t.First]; {
		case m != nil && t.First > 0: // the model has told
		case t.Kind == network.Weight:
			o.WeightsBytes += place.SizeBytes
		default:
			o.Outputs = append(o.Outputs, rec.ID)
		}
	}
	report := &Report{
		Input: r.Input, Label: "memory", HeadBudgetBytes: r.BudgetBytes, Graphs: []ReportGraph{g}, Plans: []ReportPlan{},
		Faults: []Fault{}, Warnings: r.Warnings,
		Notes: append(Notes(NoteEstimated, []string{fmt.Sprintf("a run takes %s, of which the processor waits %s; no plan takes less than %s", inMS(r.LatencyMS), inMS(r.StallMS), inMS(r.LowerBoundMS))}), r.Notes...),
	}
	report.add(p)
	return report
}

// layerOperators returns the operators of the layers. Layer 0 is the input, and the others are the operators of
// a model in LiteRT's order.
func (r *Stream) layerOperators(m *tflite.Model) []Operator {
	list := make([]Operator, len(r.Layers))
	for i, l := range r.net.Layers {
		list[i] = Operator{Operator: i, Position: i, Name: cmp.Or(l.Name, fmt.Sprintf("layer %d", i)), Inputs: []string{}, Outputs: []string{}}
	}
	if m == nil {
		return list
	}
	list[0].Operator, list[0].Name = -1, "input"
	v, err := rules.LiteRT().View(m, 0)
	if err != nil {
		panic("results: " + err.Error()) // it has been planned
	}
	for i, s := range v.Usage.Steps {
		list[i+1].Operator = s.Operator
		list[i+1].describe(m)
	}
	return list
}

// NewTraceReport returns a plan for blocks of a trace for a page: its positions are events. The plan
// has an offset for each of the blocks.
func NewTraceReport(input, title string, blocks []Tensor, plan *alloc.Plan) *Report {
	g := ReportGraph{Name: GraphFile, Operators: []Operator{}, Tensors: []ReportTensor{}}
	for _, b := range blocks {
		g.Tensors = append(g.Tensors, ReportTensor{Tensor: b, Role: lifetime.RoleBlock})
		g.NaiveBytes += b.SizeBytes
	}
	report := &Report{
		Input: input, Label: "memory", Graphs: []ReportGraph{g}, Plans: []ReportPlan{}, Faults: []Fault{}, Notes: []Note{}, Warnings: []Note{},
	}
	report.add(ReportPlan{
		Name: GraphFile, Title: title, Graph: GraphFile, InModel: true, Figures: rules.Figures{Head: plan.Total},
		LowerBoundBytes: plan.LowerBound, ProvenOptimal: plan.Total == plan.LowerBound, Offsets: present(plan.Offsets),
	})
	return report
}
