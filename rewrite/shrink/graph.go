package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/internal/parts"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// graph is a model before tiling: the original, the original in another order, or either without the
// operators that compute nothing.
type graph struct {
	model          *tflite.Model
	view           *rules.View
	moved, removed int
	// tail is the persistent memory, setup the arena that would be required if nothing had to be
	// planned, in bytes.
	tail, setup int64
	rows        map[rules.Alias]*parts.Row
}

// graph returns a model as a graph.
func (s *Search) graph(m *tflite.Model) (*graph, error) {
	d := s.device
	v, err := d.Rules().View(m, -1)
	if err != nil {
		return nil, err
	}
	o, err := pin.Follow(context.Background(), d.Rules(), m, nil, d.Requests(m))
	if err != nil {
		return nil, err
	}
	a := o.Arena(d)
	return &graph{model: m, view: v, tail: a.Tail, setup: a.Setup, rows: map[rules.Alias]*parts.Row{}}, nil
}

// row returns the graph as a sequence for paths with a level of in-place outputs.
func (s *Search) row(g *graph, a rules.Alias) *parts.Row {
	if g.rows[a] == nil {
		g.rows[a] = parts.New(g.view, parts.Options{Alias: a, Device: s.device, Memo: parts.NewMemo()})
	}
	return g.rows[a]
}

// required returns the estimated required arena of a path in bytes.
func (g *graph) required(c parts.Cost) int64 {
	return max(c.Peak+g.tail, g.setup+c.Setup) + c.Tail
}

// makeGraphs makes the graphs to begin with: the model, and the model in another order, if that is a
// gain. Both lack the operators that compute nothing.
func (s *Search) makeGraphs(ctx context.Context) error {
	own, err := s.graph(s.start)
	if err != nil {
		return err
	}
	s.graphs = []*graph{own}
	if ordered, err := s.ordered(ctx, own); err != nil || ordered != nil {
		if err != nil {
			return err
		}
		s.graphs = append(s.graphs, ordered)
	}
	for _, g := range s.graphs {
		clean, err := s.clean(g)
		if err != nil {
			return err
		}
		if clean != nil {
			s.graphs = append(s.graphs, clean)
		}
	}
	return nil
}

// ordered returns a graph in a better order, or nil.
func (s *Search) ordered(ctx context.Context, g *graph) (*graph, error) {
	o := reorder.Options{Scratch: s.device.Requests(g.model), Alias: rules.NoAlias, LargerLiteRT: true}
	if len(blocks.Of(g.model).Blocks) > 0 {
		o.States = rounds[Rounds].states
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
		made.moved, made.removed = reorder.Moved(choice.Orders)+g.moved, g.removed
	}
	return made, err
}

// reordered returns a model with its operators in other orders, or nil if the rewriter refuses.
func (s *Search) reordered(m *tflite.Model, orders [][]int) (*tflite.Model, error) {
	r, err := rewrite.Reorder(m, orders, rewrite.Options{Force: s.force})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return tflite.Parse(r.Data, m.Name)
}

// clean returns a graph without the operators that compute nothing, or nil if there are none.
func (s *Search) clean(g *graph) (*graph, error) {
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

// apply applies an edit and parses the result, in an order that LiteRT runs correctly if one
// exists.
func (s *Search) apply(m *tflite.Model, e edit.Edit) (*tflite.Model, error) {
	r, err := edit.Apply(m, e, rewrite.Options{Force: s.force})
	if err != nil {
		return nil, err
	}
	edited, err := tflite.Parse(r.Data, m.Name)
	if err != nil || len(rules.Overwritten(edited)) == 0 {
		return edited, err
	}
	v, err := rules.Micro().View(edited, -1)
	if err != nil {
		return nil, err
	}
	if orders, ok := reorder.Careful(v); ok {
		return s.reordered(edited, orders)
	}
	return edited, nil // then it is no gain
}
