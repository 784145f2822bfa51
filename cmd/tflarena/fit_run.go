package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

func (p *program) fitModel(c *cli.Context) error {
	goal, err := fitGoal(c)
	if err != nil {
		return err
	}
	if asksFrontier(c) {
		return p.fitFrontier(c, goal)
	}
	in, err := p.invocation(c, p.fitOutputs)
	if err != nil {
		return err
	}
	ctx, cancel := limited(c.Context, c, 0)
	defer cancel()
	m, err := in.loadModel()
	if err != nil {
		return err
	}
	if err := refuseFaults(c, m, goal.Device); err != nil {
		return in.failed(err)
	}
	if goal.Device, err = deviceFor(c, m); err == nil {
		err = p.knownArena(c, m, goal)
	}
	if err != nil {
		return in.failed(err)
	}
	line := p.fitLine(c, &goal, "fitting")
	defer lessCollecting(c, m)()
	report, err := runFit(ctx, c, m, &goal)
	line.Stop()
	if err != nil {
		return in.failed(named(m.Name, hint(err)))
	}
	shortfall, err := p.fitShortfall(ctx, c, m, goal, report)
	if err != nil {
		return in.failed(err)
	}
	return in.fitResult(m, goal, report, shortfall)
}

// runFit runs fit, and stores the --alias used in the goal.
func runFit(ctx context.Context, c *cli.Context, m *tflite.Model, goal *fit.Goal) (report *fit.Report, err error) {
	if c.String("alias") == autoAlias {
		report, goal.Alias, err = fit.Auto(ctx, m, *goal)
		return report, err
	}
	return fit.Fit(ctx, m, *goal)
}

// fitLine shows the progress of the search for tilings on a terminal, after an initial text.
func (p *program) fitLine(c *cli.Context, goal *fit.Goal, text string) *progress.Line {
	if !p.env.IsTerminal(p.stderr) || c.Bool("quiet") {
		return nil
	}
	line := progress.Start(p.stderr, text)
	goal.Progress = func(done, all int) { line.Set(fmt.Sprintf("looking for cuts: %d of %d runs of operators", done, all)) }
	return line
}
