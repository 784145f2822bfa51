package schedule

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
)

// A Problem is a graph whose operators may be reordered.
type Problem struct {
	Graph *lifetime.Graph
	// Subgraph is the index of a subgraph to plan alone, by operator index. With -1 all subgraphs are
	// planned in one arena, with the times of [lifetime.Graph.Scopes].
	Subgraph int
	// Keep lists longer lifetimes, if one subgraph is planned alone.
	Keep lifetime.Keep
	// Extra is nil, or has for each subgraph and each of its Operators the bytes that the operator
	// requires besides its tensors while it runs, such as scratch.
	Extra [][]int64
	// Records returns the usage records of orders, one for each subgraph; nil is the given order.
	Records func(orders [][]int) ([]lifetime.Record, error)
	// Peak returns the peak of orders, nil for the largest breadth of the records. A graph with shares
	// ([lifetime.Subgraph.Shares]) needs a function that considers them, and has no bound then.
	Peak func(orders [][]int) (int64, error)
	// Unproven is [order.Options.Unproven].
	Unproven bool
}

// An Ordering is an order of operators for every subgraph, with its bounds. Sizes are in bytes.
type Ordering struct {
	// Orders[s][i] is the index in the Operators of subgraph s of the operator that runs i-th. It is
	// nil if the given order stays.
	Orders [][]int
	// Own is the largest breadth of the given order, and Peak the largest breadth of Orders, as [Problem.Peak] counts. No valid
	// order has a peak below Bound, and no order a smaller arena.
	Own, Peak, Bound int64
	// Proven reports that Peak is Bound.
	Proven bool
	// Fixed reports that Bound holds only for orders in which operators of unknown effects
	// ([lifetime.AnyState]) keep their order: without that condition, the bound is lower.
	Fixed bool
	// States is the number of states of the searches.
	States int64
	// Interrupted reports that the context ended a search.
	Interrupted bool

	least []*order.Result
	// outside are the bytes alive before the first operator, in any order.
	outside int64
}

// Least returns orders of the least peak, subgraph by subgraph and callees first, because the memory of
// a subgraph is extra memory of the operator that calls it. states is [order.Options.States] for each
// search. The error is a [*order.DisorderError] if an operator reads the output of a later one.
func (p *Problem) Least(ctx context.Context, states int) (*Ordering, error) {
	out := &Ordering{Orders: make([][]int, len(p.Graph.Subgraphs)), least: make([]*order.Result, len(p.Graph.Subgraphs))}
	root := max(p.Subgraph, 0)
	if len(p.Graph.Subgraphs) == 0 {
		return out, nil
	}
	l := &leastOf{Problem: p, ctx: ctx, states: states, out: out}
	if err := l.subgraph(root, nil); err != nil {
		return nil, err
	}
	out.Bound = out.least[root].Bound
	if err := p.judge(out); err != nil {
		return nil, err
	}
	return out, p.judgeEffects(ctx, states, out)
}

// judgeEffects checks whether the bound depends on operators of unknown effects.
func (p *Problem) judgeEffects(ctx context.Context, states int, out *Ordering) error {
	free := *p
	free.Graph = &lifetime.Graph{Subgraphs: slices.Clone(p.Graph.Subgraphs)}
	if !dropUnknown(free.Graph) {
		return nil
	}
	root := max(p.Subgraph, 0)
	without := &Ordering{Orders: make([][]int, len(out.Orders)), least: make([]*order.Result, len(out.Orders))}
	if err := (&leastOf{Problem: &free, ctx: ctx, states: states, out: without}).subgraph(root, nil); err != nil {
		return err
	}
	out.Fixed = max(without.least[root].Bound, out.outside) < out.Bound
	out.States += without.States
	out.Interrupted = out.Interrupted || without.Interrupted
	return nil
}

// dropUnknown removes unknown effects from a graph, and reports whether they kept any operators in
// order.
func dropUnknown(g *lifetime.Graph) (dropped bool) {
	for s := range g.Subgraphs {
		operators := slices.Clone(g.Subgraphs[s].Operators)
		unknown, all := 0, 0
		for i := range operators {
			if len(operators[i].Effects) > 0 {
				all++
			}
			if slices.ContainsFunc(operators[i].Effects, func(e lifetime.Effect) bool { return e.State == lifetime.AnyState }) {
				operators[i].Effects = nil
				unknown++
			}
		}
		if unknown > 0 && all > 1 {
			g.Subgraphs[s].Operators = operators
			dropped = true
		}
	}
	return dropped
}

// judge measures an ordering as a whole, and drops it if it is no better than the given order.
func (p *Problem) judge(out *Ordering) (err error) {
	given, err := p.Records(make([][]int, len(out.Orders)))
	if err != nil {
		return err
	}
	if out.Own, err = p.peak(make([][]int, len(out.Orders))); err != nil {
		return err
	}
	out.outside = beforeTheRun(given)
	if p.Peak != nil {
		out.Bound = 0
	}
	out.Bound = max(out.Bound, out.outside)
	if out.Peak, err = p.peak(out.Orders); err != nil {
		return err
	}
	if out.Peak >= out.Own {
		out.Peak, out.Orders = out.Own, make([][]int, len(out.Orders))
	}
	out.Proven = out.Peak <= out.Bound
	return nil
}

// beforeTheRun returns the bytes alive before the first operator, the same in every order: tensors that
// are never written, and tensors of subgraphs that are never called.
func beforeTheRun(records []lifetime.Record) (bytes int64) {
	for _, r := range records {
		if r.First < 0 {
			bytes += r.Size
		}
	}
	return bytes
}

func (p *Problem) peak(orders [][]int) (int64, error) {
	if p.Peak != nil {
		return p.Peak(orders)
	}
	records, err := p.Records(orders)
	if err != nil {
		return 0, err
	}
	return lifetime.MaxBreadth(records), nil
}

type leastOf struct {
	*Problem
	ctx    context.Context
	states int
	out    *Ordering
}

// subgraph finds the order of a subgraph that is called by those in path.
func (l *leastOf) subgraph(s int, path []int) error {
	if l.out.least[s] != nil || slices.Contains(path, s) {
		return nil
	}
	sub := &l.Graph.Subgraphs[s]
	if len(path) > 0 {
		sub = touched(sub)
	}
	extra, err := l.extra(s, append(path, s))
	if err != nil {
		return err
	}
	r, err := order.Least(l.ctx, sub, order.Options{Scopes: l.Subgraph < 0, Keep: l.Keep, Extra: extra, States: l.states, Unproven: l.Unproven})
	if err != nil {
		return fmt.Errorf("subgraph %d: %w", s, err)
	}
	l.out.least[s] = r
	l.out.States += r.States
	l.out.Interrupted = l.out.Interrupted || r.Interrupted
	if r.Peak < r.Own {
		l.out.Orders[s] = r.Order
	}
	return nil
}

// touched returns a subgraph without the untouched tensors, which are alive before the run, and not
// while the calling operator runs.
func touched(s *lifetime.Subgraph) *lifetime.Subgraph {
	used := make([]bool, len(s.Tensors))
	use := func(tensors []int) {
		for _, t := range tensors {
			if t >= 0 && t < len(used) {
				used[t] = true
			}
		}
	}
	use(s.Inputs)
	use(s.Outputs)
	for i := range s.Operators {
		use(s.Operators[i].Inputs)
		use(s.Operators[i].Outputs)
	}
	out := *s
	out.Tensors = slices.Clone(s.Tensors)
	for t := range out.Tensors {
		out.Tensors[t].Planned = out.Tensors[t].Planned && used[t]
	}
	return &out
}

// extra returns the bytes that each operator requires besides its tensors: Extra, and the least peak of
// the most demanding subgraph that it calls.
func (l *leastOf) extra(s int, path []int) ([]int64, error) {
	operators := l.Graph.Subgraphs[s].Operators
	extra := make([]int64, len(operators))
	if s < len(l.Extra) {
		copy(extra, l.Extra[s])
	}
	if l.Subgraph >= 0 {
		return extra, nil
	}
	for i := range operators {
		var most int64
		for _, callee := range operators[i].Calls {
			if err := l.subgraph(callee, path); err != nil {
				return nil, err
			}
			if r := l.out.least[callee]; r != nil {
				most = max(most, r.Bound)
			}
		}
		extra[i] += most
	}
	return extra, nil
}
