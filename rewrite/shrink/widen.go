package shrink

import (
	"context"

	"golang.org/x/exp/slices"
)

// widened proposes and builds models with wider filters for planned candidates that may need less with them:
// their tiles take a row less, or their plans exceed their lower bounds, and wrong rows may fit if they
// are on one side only.
func (s *Search) widened(ctx context.Context, list []*proposal, _ int) (made []*proposal) {
	for _, p := range list {
		if p.best == nil || p.orders != nil {
			continue
		}
		stages := slices.Clone(p.path.Stages)
		for i := range stages {
			stages[i].Widen = stages[i].Carry
		}
		path, err := s.row(p.graph, p.alias).Path(stages)
		if err != nil || path.Cost == p.path.Cost || path.Cost.Peak >= p.path.Cost.Peak && p.best.Head <= p.bound.Head {
			continue
		}
		if q := (&proposal{graph: p.graph, alias: p.alias, path: path}); s.propose(q) {
			made = append(made, q)
		}
	}
	return s.buildAll(ctx, made)
}
