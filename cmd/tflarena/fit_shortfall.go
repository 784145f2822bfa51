package main

import (
	"context"
	"math"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// fitShortfall explains a budget that is not met. It tries remedies for the rest of --time-limit, or
// for the time of the trade-off table.
func (p *program) fitShortfall(ctx context.Context, c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report) (*results.Shortfall, error) {
	if report.Met || goal.HeadBudget == 0 && goal.Budget == 0 {
		return nil, nil
	}
	ctx, cancel := limited(ctx, c, frontierTime)
	defer cancel()
	goal.Progress = nil
	line := p.fitLine(c, &goal, "looking for flags that meet the budget")
	s, err := fit.Explain(ctx, m, goal, report)
	line.Stop()
	report.Interrupted = report.Interrupted || c.Context.Err() != nil
	if err != nil {
		return nil, named(m.Name, err)
	}
	return results.NewShortfall(s, report, goal, wayFlags), nil
}

// wayFlags returns the command-line flags of a way.
func wayFlags(w *fit.Way) string {
	switch {
	case w.Alias != "":
		return "--alias " + string(w.Alias)
	case w.Least:
		return "--least"
	case w.Force:
		return "--force"
	case math.IsInf(w.MaxOverhead, 1):
		return "any --max-overhead"
	}
	return "--max-overhead " + strconv.FormatFloat(100*w.MaxOverhead, 'f', 1, 64) + "%"
}
