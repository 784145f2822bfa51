package shrink

import (
	"context"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/transform"
)

// cleaned returns a graph after the rules that are exact in all runtimes and those for tiling, or nil if none applies. Both
// computing the same with less, it is tiled instead of the old one: two graphs would share the work of a search.
func (s *Search) cleaned(ctx context.Context, g *graph) (*graph, error) {
	if len(g.rules) > 0 {
		return nil, nil
	}
	made, err := s.transformed(ctx, g, true)
	if made != nil {
		g = made
	}
	if err != nil {
		return nil, err
	}
	if apart, err := s.separated(g); apart != nil || err != nil {
		return apart, err
	}
	return made, nil
}

// substituted returns a graph after the rules that are exact on the device, or nil if none applies or the
// goal does not permit them.
func (s *Search) substituted(ctx context.Context, g *graph) (*graph, error) {
	if !s.substitute || g.replaced || g.substituted() > 0 {
		return nil, nil
	}
	return s.transformed(ctx, g, false)
}

// transformed returns a graph after rules, or nil if none applies.
func (s *Search) transformed(ctx context.Context, g *graph, everywhere bool) (*graph, error) {
	return s.graphOf(g, func(o transform.Options) (*transform.Result, error) {
		o.Everywhere = everywhere
		return transform.Substitute(ctx, g.model, o)
	})
}

// separated returns a graph with operators separated that limit how small tiling can make it, or nil. Elsewhere that
// would cost persistent memory and time, and gain nothing.
func (s *Search) separated(g *graph) (*graph, error) {
	if !slices.ContainsFunc(s.row(g, rules.NoAlias).Limits(), func(operator int) bool {
		return transform.Separates(g.model.OperatorCodes[g.model.Subgraphs[0].Operators[operator].Code].Builtin)
	}) {
		return nil, nil
	}
	return s.graphOf(g, func(o transform.Options) (*transform.Result, error) { return transform.Separate(g.model, o) })
}

// graphOf returns the graph of a transformed model, or nil if no rule applies or the rewriter refuses.
func (s *Search) graphOf(g *graph, transformed func(o transform.Options) (*transform.Result, error)) (*graph, error) {
	r, err := transformed(transform.Options{Device: s.device, NoAssertions: s.noAssertions, Force: s.force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) || err == nil && len(r.Applied) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := s.careful(r.Model)
	if err != nil || m == nil {
		return nil, err
	}
	made, err := s.graph(m)
	if err == nil {
		made.moved, made.rules = g.moved, append(g.rules[:len(g.rules):len(g.rules)], r.Applied...)
	}
	return made, err
}

// removed, substituted and separated return the numbers of operators that rules removed, replaced by cheaper ones, and
// separated.
func (g *graph) removed() int     { return countOf(g.rules, transform.Work) }
func (g *graph) substituted() int { return countOf(g.rules, transform.Memory) }
func (g *graph) separated() int   { return countOf(g.rules, transform.Tiling) }

// countOf counts the operators of rules for a purpose.
func countOf(list []transform.Applied, purpose transform.Purpose) (n int) {
	for _, a := range list {
		if a.Rule.Purpose == purpose {
			n += len(a.Operators)
		}
	}
	return n
}
