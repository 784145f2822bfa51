package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// reportOne returns the report of one model.
func (p *program) reportOne(ctx context.Context, c *cli.Context, ask *reportAsk, file string) (*results.Report, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	s, err := asItIs(c, m, ask.rules)
	if err != nil {
		return nil, err
	}
	made, err := app.Make(c.Context, ctx, s, p.reportWhole(c, m, ask, file))
	if err != nil {
		return nil, unreported(m, err)
	}
	p.warn(c, m.Name, results.WithoutFaults(made.Report.Warnings))
	return made.Report, nil
}

// reportWhole returns the options of the report of one model.
func (p *program) reportWhole(c *cli.Context, m *tflite.Model, ask *reportAsk, file string) app.Ask {
	return app.Ask{
		File: file, Alias: ask.alias, Fit: ask.fit, FitFlags: asked(c, "arena", "head"),
		Flags:   append(append(sameDevice(c), asked(c, "scratch")...), asked(c, "alias")...),
		Options: alloc.Options{SearchTime: searchTime(c)},
		Solve:   p.solver(c, m.Name),
		Fitted: func(ctx context.Context, goal fit.Goal) (*fit.Report, error) {
			line := p.fitLine(c, &goal, "fitting")
			defer line.Stop()
			found, err := fit.Fit(ctx, m, goal)
			return found, named(m.Name, hint(err))
		},
	}
}

// unreported returns the reason for a missing report of a model.
func unreported(m *tflite.Model, err error) error {
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, faultError{fault.Err})
	}
	if inputOf(err) != "" {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = interruptedError{}
	}
	return named(m.Name, err)
}
