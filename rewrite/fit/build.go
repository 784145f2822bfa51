package fit

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// attempt is a path and the model built from it.
type attempt struct {
	path  *parts.Path
	model *tflite.Model
	rung  *Rung
}

// take builds a path and measures it, with a plan within a limit if there is one. Results are
// cached.
func (c *choice) take(p *parts.Path, limit int64) (*attempt, error) {
	key := fmt.Sprint(c.fit.goal.Alias, limit, p.Stages(), p.Places)
	if a, ok := c.fit.built[key]; ok {
		return a.with(p), nil
	}
	a, err := c.build(p, limit)
	if err == nil && c.ctx.Err() == nil {
		c.fit.built[key] = a.with(p)
	}
	return a, err
}

// with returns a copy with its own rung, for a path of the same stages.
func (a *attempt) with(p *parts.Path) *attempt {
	rung := *a.rung
	return &attempt{path: p, model: a.model, rung: &rung}
}

func (c *choice) build(p *parts.Path, limit int64) (*attempt, error) {
	m, err := write(c.fit.model, c.row, p, c.fit.goal.Force)
	if err != nil {
		return nil, fmt.Errorf("tiled model: %w", err)
	}
	r, err := c.fit.measure(c.ctx, "patches", m, pin.Options{Alias: c.fit.goal.Alias, Limit: limit, Places: p.Places})
	if err != nil {
		return nil, err
	}
	return &attempt{path: p, model: m, rung: r}, nil
}

// write returns the model with the stages of a path tiled.
func write(m *tflite.Model, row *parts.Row, p *parts.Path, force bool) (*tflite.Model, error) {
	e, err := row.Edit(p)
	if err != nil {
		return nil, err
	}
	return apply(m, e, force)
}

// apply applies an edit and parses the result, in an order that LiteRT runs correctly if one
// exists.
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
		return edited, nil // then it is not a gain
	}
	if r, err = rewrite.Reorder(edited, orders, rewrite.Options{Force: force}); err != nil {
		return nil, err
	}
	return tflite.Parse(r.Data, m.Name)
}
