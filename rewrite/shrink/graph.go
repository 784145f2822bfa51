package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/rewrite/shrink/internal/parts"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

// graph is a model before tiling: the original, the original in another order, or either with operators that
// rules replaced.
type graph struct {
	model *tflite.Model
	view  *rules.View
	moved int
	// rules are the rules that replaced operators.
	rules []transform.Applied
	// replaced reports that another graph is tiled instead.
	replaced bool
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

// apply applies an edit and parses the result, in an order that LiteRT runs correctly if one
// exists.
func (s *Search) apply(m *tflite.Model, e edit.Edit) (*tflite.Model, error) {
	r, err := edit.Apply(m, e, rewrite.Options{Force: s.force})
	if err != nil {
		return nil, err
	}
	edited, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		return nil, err
	}
	return s.careful(edited)
}

// careful returns a model in an order that LiteRT runs correctly if one exists, or nil if the rewriter refuses it.
func (s *Search) careful(m *tflite.Model) (*tflite.Model, error) {
	if len(rules.Overwritten(m)) == 0 {
		return m, nil
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return nil, err
	}
	if orders, ok := reorder.Careful(v); ok {
		return s.reordered(m, orders)
	}
	return m, nil // then it is no gain
}
