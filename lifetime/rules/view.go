package rules

import (
	"fmt"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A View is one runtime's view of a model.
type View struct {
	Rules Rules
	Model *tflite.Model
	// Subgraph is the planned subgraph, -1 if all are planned.
	Subgraph int
	// Graph is the source of the usage records.
	Graph *lifetime.Graph
	// Usage holds the records and the step at each position.
	Usage *lifetime.Usage
	// LeftOut lists every tensor of the planned subgraphs without a record.
	LeftOut []LeftOut
	// Notes list the limitations and assumptions of the figures.
	Notes []Note

	// faults memoises the faults of the model.
	faults func() []Fault
}

func (v *View) Records() []lifetime.Record { return v.Usage.Records }

// View returns the runtime's view of m. A rule set that plans all subgraphs together takes -1
// for subgraph; the others interpret -1 as 0. View returns an error if the subgraph does not
// exist, or if following the calls between subgraphs takes too long ([lifetime.ErrTooLarge]).
func (r Rules) View(m *tflite.Model, subgraph int) (*View, error) {
	switch {
	case r.Scopes && subgraph >= 0:
		return nil, fmt.Errorf("%s plans all subgraphs in one arena: a single one cannot be chosen", r.Title)
	case !r.Scopes && subgraph < 0:
		subgraph = 0
	}
	if subgraph >= len(m.Subgraphs) {
		return nil, fmt.Errorf("there is no subgraph %d: the model has %d", subgraph, len(m.Subgraphs))
	}
	b := builder{rules: r, model: m}
	v := &View{Rules: r, Model: m, Subgraph: subgraph, Graph: &lifetime.Graph{}}
	for i := range m.Subgraphs {
		if r.Scopes || i == subgraph {
			v.Graph.Subgraphs = append(v.Graph.Subgraphs, b.subgraph(&m.Subgraphs[i]))
		} else {
			v.Graph.Subgraphs = append(v.Graph.Subgraphs, lifetime.Subgraph{})
		}
	}
	v.LeftOut = b.leftOut
	if err := v.derive(); err != nil {
		return nil, err
	}
	v.Notes = v.explain(false)
	v.faults = sync.OnceValue(func() []Fault { return r.Faults(m) })
	return v, nil
}

func (v *View) derive() (err error) {
	if v.Rules.Scopes {
		v.Usage, err = v.Graph.Scopes()
		return err
	}
	v.Usage = v.Graph.Positions(v.Subgraph, lifetime.Keep{
		Inputs: v.Rules.KeepInputs, Outputs: v.Rules.KeepOutputs, Unread: v.Rules.KeepUnread,
	})
	return nil
}

// builder converts subgraphs of the model into subgraphs of the graph.
type builder struct {
	rules   Rules
	model   *tflite.Model
	leftOut []LeftOut
	// effects holds the effects of all operators, nil before the first subgraph.
	effects [][][]op.Effect
}

func (b *builder) subgraph(s *tflite.Subgraph) lifetime.Subgraph {
	w := newWork(b, s)
	w.simplify()
	if b.effects == nil {
		b.effects = op.Effects(b.model)
	}
	if list := b.effects[s.Index]; list != nil {
		for i := range w.operators {
			w.operators[i].Effects = effectsOf(list[w.operators[i].Index])
		}
	}
	out := lifetime.Subgraph{Inputs: s.Inputs, Outputs: s.Outputs, Operators: w.operators}
	for i := range s.Tensors {
		t := &s.Tensors[i]
		size, reason := w.reserve(t)
		out.Tensors = append(out.Tensors, lifetime.Tensor{
			ID: b.model.TensorID(s.Index, i), Name: t.Name,
			Size: size, Align: b.rules.Align, Planned: reason == "", State: t.Variable,
		})
		if reason != "" {
			b.leftOut = append(b.leftOut, LeftOut{Subgraph: s.Index, Tensor: i, ID: b.model.TensorID(s.Index, i), Name: t.Name, Reason: reason})
		}
	}
	return out
}

// effectsOf converts the effects of an operator.
func effectsOf(list []op.Effect) (out []lifetime.Effect) {
	for _, e := range list {
		out = append(out, lifetime.Effect(e))
	}
	return out
}

// calls returns the subgraphs that run inside an operator, as far as the runtime follows them:
// IF, WHILE and CALL_ONCE.
func (b *builder) calls(o *tflite.Operator) []int {
	code := b.model.OperatorCodes[o.Code]
	builtin := code.Builtin
	if b.rules.NewCodesOnly {
		builtin = code.NewField
	}
	switch builtin {
	case schema.BuiltinOperatorIF, schema.BuiltinOperatorWHILE, schema.BuiltinOperatorCALL_ONCE:
		return o.Subgraphs
	}
	return nil
}

// Reordered returns the view with the operators of its subgraphs reordered, as if the file had
// them in these orders. orders[s][i] is the index into Graph.Subgraphs[s].Operators of the
// operator that runs i-th. An order that is nil, or missing at the end, leaves its subgraph
// unchanged. Model stays the model of the file.
func (v *View) Reordered(orders [][]int) (*View, error) {
	out := *v
	out.Graph = &lifetime.Graph{Subgraphs: slices.Clone(v.Graph.Subgraphs)}
	for s, places := range orders {
		if places == nil {
			continue
		}
		operators := v.Graph.Subgraphs[s].Operators
		out.Graph.Subgraphs[s].Operators = nil
		for _, at := range places {
			out.Graph.Subgraphs[s].Operators = append(out.Graph.Subgraphs[s].Operators, operators[at])
		}
	}
	if err := out.derive(); err != nil {
		return nil, err
	}
	return &out, nil
}

// inside returns the number of positions that subgraphs take inside an operator, zero if one
// subgraph is planned alone.
func (v *View) inside(calls []int) (n int) {
	for _, callee := range calls {
		if v.Rules.Scopes {
			n += v.steps(callee)
		}
	}
	return n
}

// steps returns the number of positions of a run of a subgraph.
func (v *View) steps(subgraph int) int {
	n := 1
	for _, op := range v.Graph.Subgraphs[subgraph].Operators {
		n += 1 + v.inside(op.Calls)
	}
	return n
}
