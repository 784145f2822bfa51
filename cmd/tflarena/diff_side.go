package main

import (
	"bytes"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// diffSides returns the figures of both models. For equal files they are computed once, since two
// time-limited searches may differ.
func (p *program) diffSides(c *cli.Context, r rules.Rules, a, b *tflite.Model) (x, y *results.DiffSide, err error) {
	if x, err = p.diffSide(c, r, a); err != nil {
		return nil, nil, err
	}
	if bytes.Equal(a.Data, b.Data) {
		twin := *x
		twin.Input = b.Name
		return x, &twin, nil
	}
	y, err = p.diffSide(c, r, b)
	return x, y, err
}

// diffSide returns the figures of a model, as in analyze.
func (p *program) diffSide(c *cli.Context, r rules.Rules, m *tflite.Model) (*results.DiffSide, error) {
	s, err := asItIs(c, m, r)
	if err != nil {
		return nil, err
	}
	side, err := s.DiffSide(c.Context, p.solver(c, m.Name))
	if err != nil {
		return nil, err
	}
	p.warn(c, m.Name, side.Warnings)
	p.noteTime(c, m.Name, side.Interrupted)
	return side, nil
}
