package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/improve"
	"github.com/tflarena/tflarena/tflite"
)

// rewriteUsage rejects contradictory flags.
func rewriteUsage(c *cli.Context) error {
	if _, err := deviceOf(c); err != nil {
		return err
	}
	alias, err := aliasOf(c)
	if err != nil {
		return err
	}
	if err := chosen("--pin", c.String("pin"), texts(improve.Pins())); err != nil {
		return err
	}
	switch n := c.NArg(); {
	case n == 0:
		return usagef("rewrite: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return usagef("rewrite: %d models given, but rewrite takes one: run it once for each", n)
	case c.Bool("ignore-litert") && !c.Bool("reorder"):
		return usagef("--ignore-litert says which orders --reorder may take: use both")
	case c.Bool("remove") && (c.IsSet("pin") || c.IsSet("strategy") || alias != rules.NoAlias):
		return usagef("--remove makes no plan: leave --pin, --strategy and --alias out")
	}
	return strategyOf(alloc.Offsets, c.String("strategy"))
}

// rewriteGoal reads the flags that permit changes of a model.
func rewriteGoal(c *cli.Context, m *tflite.Model) (g improve.Goal, err error) {
	g = improve.Goal{
		Pin: improve.Pin(c.String("pin")), Strategy: c.String("strategy"), Alias: rules.Alias(c.String("alias")),
		Reorder: c.Bool("reorder"), IgnoreLiteRT: c.Bool("ignore-litert"), Toposort: c.Bool("toposort"),
		Remove: c.Bool("remove"), Force: c.Bool("force"),
	}
	g.Device, err = deviceFor(c, m)
	return g, err
}

// inlined returns a model with its weights in the flatbuffer if requested, and how it was made from m.
func inlined(c *cli.Context, m *tflite.Model) (*tflite.Model, *rewrite.Result, error) {
	if !c.Bool("inline-weights") {
		return m, &rewrite.Result{Method: rewrite.Unchanged}, nil
	}
	r, err := rewrite.InlineWeights(m, rewrite.Options{Force: c.Bool("force")})
	if err != nil || r.Method == rewrite.Unchanged {
		return m, r, err
	}
	moved, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		return nil, nil, &rewrite.FaultError{Err: err}
	}
	return moved, r, nil
}

// unimproved returns the reason why [improve.Improve] has nothing to write.
func unimproved(c *cli.Context, o *improve.Outcome, err error) error {
	var disorder *improve.DisorderError
	var fault *rewrite.FaultError
	switch {
	case errors.As(err, &fault):
		return faultError{fault.Err}
	case errors.As(err, &disorder):
		return fmt.Errorf("%w; --toposort puts them into a valid order, but the model may then compute something else", err)
	case err != nil:
		return hint(solveError(c, nil, err))
	case c.Context.Err() != nil:
		// A partial result is not written, since the plan would depend on the time.
		return interruptedError{}
	case o.Reason.Kind == improve.OutOfTime:
		return solveError(c, nil, context.DeadlineExceeded)
	}
	return nil
}

// hint adds a remedy to a refusal that can be overridden.
func hint(err error) error {
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) && refused.Force {
		return fmt.Errorf("%w"+forceHint, err)
	}
	return err
}

// forceHint ends a refusal that can be overridden.
const forceHint = "; --force goes ahead anyway"
