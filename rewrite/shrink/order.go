package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/reorder"
)

// ordered returns a graph in a better order, or nil.
func (s *Search) ordered(ctx context.Context, g *graph) (*graph, error) {
	o := reorder.Options{Scratch: s.device.Requests(g.model), Alias: rules.NoAlias, LargerLiteRT: true}
	if len(blocks.Of(g.model).Blocks) > 0 {
		o.States = s.most().states
	}
	choice, err := reorder.Choose(ctx, g.view, o)
	if disorder := (*order.DisorderError)(nil); errors.As(err, &disorder) || err != nil && ctx.Err() != nil {
		return nil, nil
	}
	if err != nil || !choice.Gains() {
		return nil, err
	}
	m, err := s.reordered(g.model, choice.Orders)
	if err != nil || m == nil {
		return nil, err
	}
	made, err := s.graph(m)
	if err == nil {
		made.moved, made.rules = reorder.Moved(choice.Orders)+g.moved, g.rules
	}
	return made, err
}
