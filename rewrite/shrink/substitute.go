package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/transform"
)

// cleaned returns a graph after the rules that are exact in all runtimes, or nil if none applies. Both computing the same
// with less, it is tiled instead of the old one: two graphs would share the work of a search.
func (s *Search) cleaned(ctx context.Context, g *graph) (*graph, error) {
	if len(g.rules) > 0 {
		return nil, nil
	}
	return s.transformed(ctx, g, true)
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
	r, err := transform.Substitute(ctx, g.model, transform.Options{Device: s.device, Everywhere: everywhere, NoAssertions: s.noAssertions, Force: s.force})
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

// removed returns the number of operators that rules removed.
func (g *graph) removed() int { return countOf(g.rules, true) }

// substituted returns the number of operators that rules replaced by others.
func (g *graph) substituted() int { return countOf(g.rules, false) }

// countOf counts the operators of rules for work, or of the others.
func countOf(list []transform.Applied, work bool) (n int) {
	for _, a := range list {
		if (a.Rule.Purpose == transform.Work) == work {
			n += len(a.Operators)
		}
	}
	return n
}
