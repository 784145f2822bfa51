package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// stepsOf returns the steps of a tiled model.
func stepsOf(m *tflite.Model, subgraph int, found *tiling.Result) []Operator {
	list := make([]Operator, found.LastStep+1)
	for k := range list {
		list[k] = Operator{Subgraph: subgraph, Operator: -1, Position: k, Name: "inputs", Inputs: []string{}, Outputs: []string{}}
	}
	list[found.LastStep].Name = "outputs"
	for _, run := range found.Runs {
		for k := run.FirstStep; k <= run.LastStep; k++ {
			list[k].Operator, list[k].Name = run.First, tileName(m.Subgraphs[subgraph].Operators, run, k)
		}
	}
	return list
}

// tileName names the output of a step of a run.
func tileName(operators []tflite.Operator, run tiling.Run, step int) string {
	name, noun := operators[run.First].Name, "tile"
	if run.Last > run.First {
		name, noun = name+" to "+operators[run.Last].Name, "stripe"
	}
	if run.FirstStep == run.LastStep {
		return name
	}
	return fmt.Sprintf("%s, %s %d of %d", name, noun, step-run.FirstStep+1, run.LastStep-run.FirstStep+1)
}

// wholeGraph returns the model without tiles, whose positions are its operators, between two for inputs
// and outputs. They begin at the steps at which the tiled model is at the same operators; operators of
// a cascade share its steps.
func wholeGraph(m *tflite.Model, subgraph int, found *tiling.Result) ReportGraph {
	sub := &m.Subgraphs[subgraph]
	last := len(sub.Operators) + 1
	g := ReportGraph{
		Name: GraphFile, NaiveBytes: lifetime.Naive(found.WholeTensors), MACs: op.RunMACs(m, subgraph), Tensors: []ReportTensor{},
		Operators: make([]Operator, last+1), StartSteps: startSteps(len(sub.Operators), found),
	}
	for k := range g.Operators {
		g.Operators[k] = Operator{Subgraph: subgraph, Operator: k - 1, Position: k, Inputs: []string{}, Outputs: []string{}}
		if k > 0 && k < last {
			g.Operators[k].Name = sub.Operators[k-1].Name
			g.Operators[k].describe(m)
		}
	}
	g.Operators[0].Name = "inputs"
	g.Operators[last].Name, g.Operators[last].Operator = "outputs", -1
	places := Places{}
	for t := range sub.Tensors {
		places[m.TensorID(subgraph, t)] = &sub.Tensors[t]
	}
	for _, rec := range found.WholeTensors {
		g.Tensors = append(g.Tensors, ReportTensor{Tensor: NewTensor(places, rec), Role: role(places[rec.ID])})
	}
	setBreadths(g.Operators, found.WholeTensors)
	return g
}

// startSteps returns the first steps of operators, between the steps of the inputs and the outputs,
// followed by the number of steps.
func startSteps(operators int, found *tiling.Result) []float64 {
	starts := make([]float64, operators+3)
	for _, run := range found.Runs {
		each := float64(run.LastStep+1-run.FirstStep) / float64(run.Last+1-run.First)
		for k := run.First; k <= run.Last; k++ {
			starts[k+1] = float64(run.FirstStep) + float64(k-run.First)*each
		}
	}
	starts[operators+1], starts[operators+2] = float64(found.LastStep), float64(found.LastStep+1)
	return starts
}
