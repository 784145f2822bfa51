package shrink

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// transplant proposes the tilings of the best candidates at other levels.
func (s *Search) transplant(_ context.Context, g *Goal, _ int) {
	for _, a := range rules.AllAliases() {
		if p := s.bestAt(g, a); p != nil && a != g.Alias {
			if path, err := s.row(p.graph, g.Alias).Path(stagesAt(p.path.Stages, g.Alias)); err == nil {
				s.propose(&proposal{graph: p.graph, alias: g.Alias, path: path})
			}
		}
	}
}
