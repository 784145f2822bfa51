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
	style, err := p.style(c)
	if err != nil {
		return err
	}
	specs, err := p.fitOutputs(c)
	if err != nil {
		return err
	}
	ctx, cancel, err := limited(c)
	if err != nil {
		return err
	}
	defer cancel()
	m, err := p.loadModel(c.Context, c.Args().First())
	if err != nil {
		return p.failed(specs, c.Command.Name, c.Args().First(), err)
	}
	var line *progress.Line
	if p.env.IsTerminal(p.stderr) && !c.Bool("quiet") {
		line = progress.Start(p.stderr, "fitting")
		goal.Progress = func(done, all int) { line.Set(fmt.Sprintf("cuts of %d of %d runs of operators", done, all)) }
	}
	defer lessCollecting()()
	report, err := fit.Fit(ctx, m, goal)
	line.Stop()
	if err != nil {
		return p.failed(specs, c.Command.Name, m.Name, named(m.Name, hint(err)))
	}
	return p.fitResult(c, m, goal, report, specs, style)
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
