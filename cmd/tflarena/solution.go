package main

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
)

// solutionStrategy replaces a strategy in the report of a solver's plan.
const solutionStrategy = "solution"

func solutionFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "solution", Category: groupPlan,
		Usage: "read the plan from `FILE`, a solver's answer",
	}
}

// checkSolution rejects flags that name a second origin of the plan.
func checkSolution(c *cli.Context) error {
	switch {
	case !c.IsSet("solution"):
		return nil
	case c.String("solution") == "":
		return errNoName
	case c.IsSet("strategy"):
		return usagef("--solution and --strategy: the plan can come from only one of them: leave the other out")
	}
	return nil
}

// readSolution returns a solver's plan. The solver's own claim of a proof does not count: only a total
// that equals the lower bound is called optimal.
func (p *program) readSolution(c *cli.Context, j *job, a alloc.Approach) (*alloc.Plan, error) {
	// Solve checks the records and their pins first.
	options := j.permit(alloc.Options{Approach: a, Strategy: "naive"})
	plan, err := alloc.Solve(p.ctx, j.planned(), options)
	if err != nil {
		return nil, named(j.title, p.solveError(j.planned(), err))
	}
	path := c.String("solution")
	data, err := readFile(p.ctx, path, acceptText)
	if err != nil {
		return nil, err
	}
	from := &alloc.Plan{Approach: a, Strategy: solutionStrategy, Winner: solutionStrategy, Tried: 1, LowerBound: plan.LowerBound}
	if a == alloc.Shared {
		from.Objects, from.ObjectSizes, from.Total, err = mip.ReadSharedSolution(bytes.NewReader(data), j.planned())
	} else {
		from.Offsets, from.Total, err = mip.ReadSolution(bytes.NewReader(data), j.planned(), options.Apart)
	}
	if err != nil {
		return nil, named(path, fmt.Errorf("no solution for %s: %w", j.title, err))
	}
	if from.Total == from.LowerBound {
		from.Optimal, from.Proof = true, alloc.Proof{Kind: alloc.ByBound}
	}
	return from, nil
}
