package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Report returns a plan with prefetched weights for a page: its positions are the steps of the layers,
// and its graph has the times at which these load and compute.
func (r *Stream) Report() *Report {
	g := ReportGraph{Name: GraphFile, Operators: make([]Operator, len(r.Layers)), Tensors: []ReportTensor{}, Layers: r.Layers}
	p := ReportPlan{
		Name: GraphFile, Title: "weights loaded ahead", Graph: GraphFile, InModel: true, Strategy: r.Winner,
		Figures: rules.Figures{Head: r.PeakBytes}, Offsets: []int64{},
	}
	for i, l := range r.net.Layers {
		name := l.Name
		if name == "" {
			name = fmt.Sprintf("layer %d", i)
		}
		g.Operators[i] = Operator{Operator: i, Position: i, Name: name, Inputs: []string{}, Outputs: []string{}}
	}
	for i, place := range r.Placements {
		t := r.net.Tensors[i]
		name := t.Name
		if name == "" {
			name = fmt.Sprintf("%s of layer %d", place.Type, t.First)
		}
		id := fmt.Sprintf("%s:%d", place.Type, place.Index)
		g.Tensors = append(g.Tensors, ReportTensor{
			Tensor: Tensor{ID: id, Name: name, SizeBytes: place.SizeBytes, FirstOp: place.FirstStep, LastOp: place.LastStep}, Role: place.role(),
		})
		p.Offsets = append(p.Offsets, place.OffsetBytes)
		g.NaiveBytes += place.SizeBytes
		for k := place.FirstStep; k <= place.LastStep; k++ {
			g.Operators[k].BreadthBytes += place.SizeBytes
			g.Operators[k].Alive++
		}
		if t.Kind == network.Weight {
			g.Operators[t.First].WeightsBytes += place.SizeBytes
		} else {
			g.Operators[t.First].Outputs = append(g.Operators[t.First].Outputs, id)
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
