package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/late"
	"github.com/tflarena/tflarena/internal/results"
)

// anyPlan returns the requested plan: in waves, or at once.
func (p *program) anyPlan(ctx context.Context, c *cli.Context, j *job, o alloc.Options, capacity int64) (*alloc.Plan, *alloc.Verdict, *results.Waves, error) {
	if !c.Bool("waves") {
		plan, verdict, err := p.planOf(ctx, c, j, o, capacity)
		return plan, verdict, nil, err
	}
	switch {
	case j.problem == nil || j.problem.KnownAt == nil:
		return nil, nil, nil, usagef("--waves: %s does not say when sizes become known: name a CSV problem with a column known_at", j.title)
	case o.Approach != alloc.Offsets:
		return nil, nil, nil, usagef("--waves is for --approach %s", alloc.Offsets)
	case c.IsSet("solution"):
		return nil, nil, nil, usagef("--waves and --solution: the plan can come from only one of them: leave the other out")
	}
	defer p.showProgress(&o)()
	found, err := late.Solve(ctx, j.planned(), j.problem.KnownAt, o)
	if err != nil {
		return nil, nil, nil, named(j.title, p.solveError(j.planned(), err))
	}
	return found.Plan, nil, results.NewWaves(found), nil
}
