package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/cleanup"
)

// clean returns a graph without the operators that compute nothing, or nil if there are none.
func (s *Search) clean(_ context.Context, g *graph) (*graph, error) {
	idle := cleanup.Find(g.model, 0)
	if len(idle) == 0 || g.removed > 0 {
		return nil, nil
	}
	m, err := s.apply(g.model, cleanup.Edit(g.model, 0, idle))
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made, err := s.graph(m)
	if err == nil {
		made.moved, made.removed = g.moved, len(idle)
	}
	return made, err
}
