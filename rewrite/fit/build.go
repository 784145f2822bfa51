package fit

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// cut returns the model with the stages of a path in pieces.
func (r *row) cut(p *point, force bool) (*tflite.Model, error) {
	e := edit.Edit{}
	base := len(r.model.Subgraphs[0].Tensors)
	for i := range p.edges {
		f, err := r.fragment(&p.edges[i], base+len(e.Tensors))
		if err != nil {
			return nil, err
		}
		e.Tensors = append(e.Tensors, f.Tensors...)
		e.Operators = append(e.Operators, f.Operators...)
	}
	return apply(r.model, e, force)
}

// apply makes an edit and parses the result, in an order that LiteRT runs right where there
// is one.
func apply(m *tflite.Model, e edit.Edit, force bool) (*tflite.Model, error) {
	r, err := edit.Apply(m, e, rewrite.Options{Force: force})
	if err != nil {
		return nil, err
	}
	edited, err := tflite.Parse(r.Data, m.Name)
	if err != nil || len(rules.Overwritten(edited)) == 0 {
		return edited, err
	}
	v, err := micro(edited)
	if err != nil {
		return nil, err
	}
	orders, ok := reorder.Careful(v)
	if !ok {
		return edited, nil // which is no gain
	}
	if r, err = rewrite.Reorder(edited, orders, rewrite.Options{Force: force}); err != nil {
		return nil, err
	}
	return tflite.Parse(r.Data, m.Name)
}

// large is the number of operators, or of planned tensors, from which to plan a file takes
// about a second.
const large = 1000

// measure plans a model and says what it takes in the real runtime.
func (f *fitter) measure(ctx context.Context, name string, m *tflite.Model, o pin.Options) (*Rung, error) {
	v, err := micro(m)
	if err != nil {
		return nil, err
	}
	o.Mode, o.Scratch = pin.Peak, f.goal.Scratch(m)
	if len(v.Records()) > large {
		o.Mode = pin.All // to see which pins can be left out takes too long
	}
	choice, err := pin.Choose(ctx, v, o)
	if err != nil {
		return nil, err
	}
	data := m.Data
	if choice.Offsets != nil {
		planned, err := rewrite.Embed(m, choice.Offsets, rewrite.Options{Force: f.goal.Force})
		if err != nil {
			return nil, err
		}
		data = planned.Data
	}
	return f.rung(ctx, name, m, data, choice.Offsets, len(choice.Taken))
}

// rung says what a model takes under a memory plan.
func (f *fitter) rung(ctx context.Context, name string, m *tflite.Model, data []byte, offsets []int32, takeovers int) (*Rung, error) {
	o, err := pin.Follow(context.WithoutCancel(ctx), m, offsets, f.goal.Scratch(m))
	if err != nil {
		return nil, err
	}
	arena := o.Arena(f.goal.Target)
	return &Rung{
		Name: name, Head: arena.Head, Tail: arena.Tail, Arena: arena.Used(), Smallest: arena.Smallest, setup: arena.Setup,
		Operators: len(m.Subgraphs[0].Operators), FileBytes: int64(len(data)), Takeovers: takeovers, Data: data,
		wrong: len(rules.Overwritten(m)) > 0,
	}, nil
}

func micro(m *tflite.Model) (*rules.View, error) {
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return v, nil
}
