package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

func (p *program) analyzeOne(ctx context.Context, c *cli.Context, r rules.Rules, file string) (*results.Analysis, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	if m, err = p.reshaped(m); err != nil {
		return nil, err
	}
	p.model = m
	ctx, cancel := limitedInput(ctx, c)
	defer cancel()
	s, err := asItIs(c, m, r)
	if err != nil {
		return nil, err
	}
	a, err := s.Analyze(ctx, app.AnalyzeOptions{Solve: p.solver(c, m.Name), SearchTime: searchTime(c), Shapes: p.shapeNotes()})
	if err != nil {
		return nil, named(m.Name, err)
	}
	if p.shapes == nil {
		a.Next = next(c, file, s, a)
	}
	p.warn(c, m.Name, results.WithoutFaults(a.Warnings))
	p.noteTime(c, m.Name, a.Interrupted)
	return a, nil
}
