package main

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
)

// solutionStrategy stands for a strategy in the report of a solver's plan.
const solutionStrategy = "solution"

// programFormats are integer programs, which have no answer yet.
var programFormats = []string{"lp", "mps"}

func solutionFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "solution", Category: groupPlan,
		Usage: "take the plan from `FILE`, a solver's solution of -o lp or -o mps for this input, instead of a strategy",
	}
}

// checkSolution refuses flags that say twice where the plan comes from.
func checkSolution(c *cli.Context) error {
	switch {
	case !c.IsSet("solution"):
		return nil
	case c.String("solution") == "":
		return errNoName
	case c.IsSet("strategy"):
		return usagef("--solution and --strategy: the plan comes from one of them: leave the other out")
	}
	return nil
}

// program writes the integer program of which the plan is one solution: its total is
// what the arena need not pass. What shares memory on purpose is one record there, as it is
// for strategies.
func (j *job) program(format string, plan *alloc.Plan) ([]byte, error) {
	var b bytes.Buffer
	var err error
	shared, lp := plan.Approach == alloc.Shared, format == programFormats[0]
	switch {
	case shared && lp:
		err = mip.WriteSharedLP(&b, j.planned())
	case shared:
		err = mip.WriteSharedMPS(&b, j.planned())
	case lp:
		err = mip.WriteLP(&b, j.planned(), plan.Total)
	default:
		err = mip.WriteMPS(&b, j.planned(), plan.Total)
	}
	return b.Bytes(), named(j.title, err)
}

// readSolution returns a solver's plan. The solver's own claim of a proof does not
// count: only a total that equals the lower bound is called optimal.
func (p *program) readSolution(c *cli.Context, j *job, a alloc.Approach) (*alloc.Plan, error) {
	// Solving checks the records and their pins first.
	plan, err := alloc.Solve(c.Context, j.planned(), alloc.Options{Approach: a, Strategy: "naive"})
	if err != nil {
		return nil, named(j.title, solveError(c, j.planned(), err))
	}
	path := c.String("solution")
	data, err := readFile(c.Context, path, acceptText)
	if err != nil {
		return nil, err
	}
	from := &alloc.Plan{Approach: a, Strategy: solutionStrategy, Winner: solutionStrategy, Tried: 1, LowerBound: plan.LowerBound}
	if a == alloc.Shared {
		from.Objects, from.ObjectSizes, from.Total, err = mip.ReadSharedSolution(bytes.NewReader(data), j.planned())
	} else {
		from.Offsets, from.Total, err = mip.ReadSolution(bytes.NewReader(data), j.planned())
	}
	if err != nil {
		return nil, named(path, fmt.Errorf("no solution for %s: %w", j.title, err))
	}
	if from.Total == from.LowerBound {
		from.Optimal, from.Proof = true, "the total equals the lower bound"
	}
	return from, nil
}

func isProgram(format string) bool { return slices.Contains(programFormats, format) }
