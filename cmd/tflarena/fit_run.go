package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/rewrite/fit"
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
	if goal.Scratch, err = fitScratch(c, m, goal.Target); err != nil {
		return in.failed(err)
	}
	line := p.fitLine(c, &goal, "fitting")
	defer lessCollecting()()
	report, err := fit.Fit(ctx, m, goal)
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

// fitLine shows how far the search for cuts is, where somebody sees that, below a first text.
func (p *program) fitLine(c *cli.Context, goal *fit.Goal, text string) *progress.Line {
	if !p.env.IsTerminal(p.stderr) || c.Bool("quiet") {
		return nil
	}
	line := progress.Start(p.stderr, text)
	goal.Progress = func(done, all int) { line.Set(fmt.Sprintf("cuts of %d of %d runs of operators", done, all)) }
	return line
}

// lessCollecting lets garbage be collected at five times the memory that is in use, unless the
// user says when, and returns what restores that. A search makes much of it and keeps little:
// it takes two thirds of the time that way.
func lessCollecting() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(400)
	return func() { debug.SetGCPercent(before) }
}
