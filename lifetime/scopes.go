package lifetime

import "errors"

// ErrTooLarge reports that following the calls between subgraphs would take more steps than any
// real model needs, because subgraphs call each other in a cycle, or because the calls double
// at each level.
var ErrTooLarge = errors.New("the calls between subgraphs make the run too long to follow")

// maxMarks bounds the work of [Graph.Scopes]. The largest known real models need a few tens of
// thousands.
const maxMarks = 1 << 21

// Scopes returns the graph's usage as TensorFlow Lite Micro counts it. One counter runs over
// all subgraphs; it is incremented on entering an operator and on entering a subgraph, and
// never reset. Operator i of a graph without calls runs at position i+1, and the graph's inputs
// begin at 0.
//
// A tensor begins at its first marking and ends at its last. Nothing else keeps it alive: a
// graph input dies with its last reader. A tensor that is read but never made exists from
// position -1 on. A tensor that is never touched, or that belongs to a subgraph which is never
// called, is alive only at -1. If a subgraph is called twice, its tensors are alive from the
// first call to the last. (TensorFlow Lite Micro,
// AllocationInfoBuilder::MarkAllocationLifetimes.)
func (g *Graph) Scopes() (*Usage, error) {
	w := scopeWalk{graph: g, budget: maxMarks, steps: []Step{{0, -1}}}
	for _, s := range g.Subgraphs {
		w.intervals = append(w.intervals, unmarked(len(s.Tensors)))
	}
	if len(g.Subgraphs) > 0 {
		if err := w.subgraph(0, 0); err != nil {
			return nil, err
		}
	}
	u := &Usage{Steps: w.steps}
	for i, s := range g.Subgraphs {
		for j, t := range s.Tensors {
			if t.Planned {
				u.add(Place{i, j}, t, w.intervals[i][j])
			}
		}
	}
	return u, nil
}

type scopeWalk struct {
	graph     *Graph
	intervals [][]interval
	steps     []Step // the scope counter is len(steps)-1
	budget    int
}

func (w *scopeWalk) scope() int { return len(w.steps) - 1 }

func (w *scopeWalk) subgraph(index, depth int) error {
	s := &w.graph.Subgraphs[index]
	w.budget -= 1 + len(s.Inputs) + len(s.Outputs)
	if depth >= len(w.graph.Subgraphs) || w.budget < 0 {
		return ErrTooLarge
	}
	w.mark(index, s.Inputs)
	for i := range s.Operators {
		if err := w.operator(index, &s.Operators[i], depth); err != nil {
			return err
		}
	}
	w.mark(index, s.Outputs)
	return nil
}

func (w *scopeWalk) operator(index int, op *Operator, depth int) error {
	if w.budget -= 1 + len(op.Inputs) + 2*len(op.Outputs); w.budget < 0 {
		return ErrTooLarge
	}
	w.steps = append(w.steps, Step{index, op.Index})
	for _, t := range op.Outputs {
		if t >= 0 {
			w.intervals[index][t].begin(w.scope())
		}
	}
	for _, callee := range op.Calls {
		w.steps = append(w.steps, Step{callee, -1})
		if err := w.subgraph(callee, depth+1); err != nil {
			return err
		}
	}
	// Reading does not begin a tensor: one that has not been made yet keeps -1.
	for _, t := range op.Inputs {
		w.end(index, t)
	}
	for _, t := range op.Outputs {
		w.end(index, t)
	}
	return nil
}

// mark begins and ends the tensors at the current scope.
func (w *scopeWalk) mark(index int, tensors []int) {
	for _, t := range tensors {
		if t >= 0 {
			w.intervals[index][t].begin(w.scope())
			w.end(index, t)
		}
	}
}

func (w *scopeWalk) end(index, t int) {
	if t >= 0 {
		w.intervals[index][t].last = w.scope()
	}
}
