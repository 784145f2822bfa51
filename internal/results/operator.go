package results

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// An Operator is one position: an operator that runs, or, if Operator is -1, the entry of a subgraph.
type Operator struct {
	Subgraph int `json:"subgraph"`
	// Index of the operator in its subgraph; -1 where a subgraph is entered, and before the run.
	Operator int `json:"index"`
	Position int `json:"position"`
	// Kind of the operator, such as CONV_2D, or its custom code; or what is entered.
	Name string `json:"name"`
	// IDs of the tensors that the operator reads; empty for an omitted optional one.
	Inputs []string `json:"inputs"`
	// IDs of the tensors that the operator makes.
	Outputs []string `json:"outputs"`
	// Multiply-accumulates of the operator, without those of the subgraphs it calls.
	MACs int64 `json:"macs"`
	// Size in bytes of the operator's constant inputs in the file.
	WeightsBytes int64 `json:"weights_bytes"`
	// Live bytes at this position: the sum of the sizes of its live tensors and scratch.
	BreadthBytes int64 `json:"breadth_bytes"`
	// Number of tensors and scratch buffers in memory at this position.
	Alive int `json:"alive"`
}

// A Peak is the position with the most live bytes, the first of equal ones.
type Peak struct {
	Subgraph int `json:"subgraph"`
	// Index of the operator in its subgraph; -1 where a subgraph is entered, and before the run.
	Index int `json:"index"`
	// Place in the order of execution, from 0; negative before the run.
	Position int `json:"position"`
	// Kind of the operator that runs at the peak, or what happens there.
	Operator string `json:"name"`
	// Live bytes at this position: the sum of the sizes of its live tensors and scratch.
	BreadthBytes int64 `json:"breadth_bytes"`
	// Live tensors at the peak, the largest first.
	Alive []Tensor `json:"tensors"`
}

// IsZero reports whether nothing is ever alive.
func (p Peak) IsZero() bool { return len(p.Alive) == 0 }

func peak(v *rules.View, records []lifetime.Record) Peak {
	section := lifetime.Peak(records)
	p := Peak{Subgraph: -1, Index: -1, Position: section.First, BreadthBytes: section.Breadth, Alive: []Tensor{}}
	if len(records) == 0 {
		return p
	}
	p.Operator = "before the run"
	if section.First >= 0 && section.First < len(v.Usage.Steps) {
		s := v.Usage.Steps[section.First]
		p.Subgraph, p.Index, p.Operator = s.Subgraph, s.Operator, stepName(v, s)
	}
	places := PlacesOf(v.Model, v.Usage)
	for _, i := range lifetime.Profile(records, section.First) {
		p.Alive = append(p.Alive, NewTensor(places, records[i]))
	}
	return p
}

func operators(v *rules.View, records []lifetime.Record) []Operator {
	steps := v.Usage.Steps
	list := make([]Operator, len(steps))
	for i, s := range steps {
		list[i] = Operator{Subgraph: s.Subgraph, Operator: s.Operator, Position: i, Name: stepName(v, s), Inputs: []string{}, Outputs: []string{}}
		if s.Operator >= 0 {
			list[i].describe(v.Model)
		}
	}
	setBreadths(list, records)
	return list
}

// setBreadths sets the live bytes at each position.
func setBreadths(list []Operator, records []lifetime.Record) {
	for _, s := range lifetime.Sections(records) {
		for p := max(s.First, 0); p <= min(s.Last, len(list)-1); p++ {
			list[p].BreadthBytes, list[p].Alive = s.Breadth, s.Alive
		}
	}
}

// describe adds the operator's data from the file.
func (o *Operator) describe(m *tflite.Model) {
	s := &m.Subgraphs[o.Subgraph]
	x := &s.Operators[o.Operator]
	o.Inputs, o.Outputs = ids(m, o.Subgraph, x.Inputs), ids(m, o.Subgraph, x.Outputs)
	o.MACs = op.MACs(m, s, x).Total()
	counted := map[int]bool{}
	for _, i := range x.Inputs {
		if i < 0 || counted[i] || !s.Tensors[i].Constant {
			continue
		}
		counted[i] = true
		o.WeightsBytes += min(stored(m, &s.Tensors[i]), math.MaxInt64-o.WeightsBytes)
	}
}

// stored returns the bytes of a constant tensor in the file, or by its shape if they are elsewhere.
func stored(m *tflite.Model, t *tflite.Tensor) int64 {
	if n := len(m.Buffer(t).Data); n > 0 {
		return int64(n)
	}
	n, _ := t.PackedBytes() // 0 if unknown
	return n
}

func ids(m *tflite.Model, subgraph int, tensors []int) []string {
	list := make([]string, len(tensors))
	for i, t := range tensors {
		if t >= 0 {
			list[i] = m.TensorID(subgraph, t)
		}
	}
	return list
}

// runMACs returns the multiply-accumulates of one run of a model, from the planned subgraph, or the
// first.
func runMACs(v *rules.View) int64 {
	if len(v.Model.Subgraphs) == 0 {
		return 0
	}
	return op.RunMACs(v.Model, max(v.Subgraph, 0))
}

// stepName returns an operator's name, or the entry of a subgraph.
func stepName(v *rules.View, s lifetime.Step) string {
	if s.Operator < 0 {
		return fmt.Sprintf("enter subgraph %d", s.Subgraph)
	}
	return v.Model.Subgraphs[s.Subgraph].Operators[s.Operator].Name
}

// number names the operator as "SUBGRAPH:OPERATOR", like tensors.
func (o Operator) number() string {
	if o.Operator < 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", o.Subgraph, o.Operator)
}
