package shrink

import (
	"context"

	"golang.org/x/exp/slices"
)

// A proposer is a source of proposals. It has one of the functions, which determines how often it is called
// and thus what it may cost.
type proposer struct {
	name string
	// graph returns another graph that computes the same, or nil. It is called once for each graph, before
	// anything is tiled. replaces reports that only the new graph is tiled then.
	replaces bool
	graph    func(s *Search, ctx context.Context, of *graph) (*graph, error)
	// round proposes models for a goal at its level. It is called once per round and level.
	round func(s *Search, ctx context.Context, g *Goal, round int)
	// near proposes models that are similar to one of the best candidates. It is called once for each.
	near func(s *Search, ctx context.Context, best *proposal)
	// built proposes and builds models that compute the same as others with the same operators, and
	// returns the new ones. It is called for each promising model once it is built.
	built func(s *Search, ctx context.Context, list []*proposal, round int) []*proposal
}

// proposers are all proposers, in the order in which they are called. They start from the model
// without any change, at each level of in-place outputs.
func proposers() []proposer {
	return []proposer{
		{name: "order", graph: (*Search).ordered},
		{name: "clean-up", replaces: true, graph: (*Search).cleaned},
		{name: "substitution", graph: (*Search).substituted},
		{name: "tilings", round: (*Search).list},
		{name: "other levels", round: (*Search).transplant},
		{name: "neighbours", near: (*Search).neighbours},
		{name: "order of tiles", built: (*Search).sort},
		{name: "wider filters", built: (*Search).widened},
	}
}

// proposers returns the proposers that a goal permits.
func (g *Goal) proposers() []proposer {
	return slices.DeleteFunc(proposers(), func(p proposer) bool { return p.name == g.without })
}

// moreGraphs asks for graphs beside the model's own, also for changes of those that were found.
func (s *Search) moreGraphs(ctx context.Context) error {
	for _, p := range s.proposers {
		if p.graph == nil {
			continue
		}
		for _, g := range s.graphs {
			made, err := p.graph(s, ctx, g)
			if err != nil {
				return err
			}
			if made != nil {
				s.graphs = append(s.graphs, made)
				g.replaced = g.replaced || p.replaces
			}
		}
	}
	return nil
}

// begin asks for proposals at the beginning of a round.
func (s *Search) begin(ctx context.Context, g *Goal, round int) {
	for _, p := range s.proposers {
		if p.round != nil {
			p.round(s, ctx, g, round)
		}
	}
}

// expand asks for proposals that are similar to a candidate, once.
func (s *Search) expand(ctx context.Context, best *proposal) {
	if best.expanded {
		return
	}
	best.expanded = true
	for _, p := range s.proposers {
		if p.near != nil {
			p.near(s, ctx, best)
		}
	}
}

// vary asks for variants of built models.
func (s *Search) vary(ctx context.Context, list []*proposal, round int) (all []*proposal) {
	for _, p := range s.proposers {
		if p.built != nil {
			all = append(all, p.built(s, ctx, list, round)...)
		}
	}
	return all
}
