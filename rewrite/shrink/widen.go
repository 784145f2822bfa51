package shrink

import (
	"context"

	"github.com/tflarena/tflarena/rewrite/split"
)

// widened proposes and builds models whose tiles use wider filters, for planned candidates that may need less
// with them: tiles take a row less, or the plan needs more than its lower bound, and wrong rows on one side
// only may fit where those on both sides do not.
func (s *Search) widened(ctx context.Context, list []*proposal, _ int) (made []*proposal) {
	for _, p := range list {
		if p.best == nil || p.orders != nil {
			continue
		}
		path, err := s.row(p.graph, p.alias).Path(shifted(p.path.Stages()))
		if err != nil || path.Cost == p.path.Cost || path.Cost.Peak >= p.path.Cost.Peak && p.best.Head <= p.bound.Head {
			continue
		}
		if q := (&proposal{graph: p.graph, alias: p.alias, path: path}); s.propose(q) {
			made = append(made, q)
		}
	}
	s.each(ctx, made, s.build)
	return deleteUnbuilt(made)
}

// shifted returns stages without wrong rows before the right ones, where tiles have any.
func shifted(stages []split.Stage) []split.Stage {
	list := make([]split.Stage, len(stages))
	for i, s := range stages {
		if s.Carry {
			s.Widen = split.Shifted
		}
		list[i] = s
	}
	return list
}
