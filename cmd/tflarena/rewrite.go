package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite/improve"
)

const rewriteDescription = `Writes a memory plan into a model (metadata OfflineMemoryAllocation), so that an
unmodified TensorFlow Lite Micro runs it in less memory. Nothing else changes:
all other bytes stay as they are, moved back where room was needed in front.

The runtime's own planner is copied and run around the plan, so that no plan is
written with which the head would be larger than without. Where nothing is to be
gained the output is a copy of the input, and standard error says so. The result
is parsed again, verified and simulated before it is put in its place.

  --pin peak  fixes only what is needed to reach the best head and leaves the
              rest to the runtime, which also places kernel scratch
  --pin all   fixes every tensor that can be fixed

Kernel scratch is placed by the runtime, and its size depends on the kernel
library. It is counted as the reference kernels ask for it; for other kernels name
a CSV file with the columns subgraph,operator,bytes and a row for each request,
or say none where they ask for nothing. With scratch that is wrong the model runs
all the same, but the head may be another than the one that is printed.

--reorder also puts the operators in another order where that makes the smallest arena
smaller: the one of the least peak, proven where that can be done in time. Operators with
side effects keep theirs among themselves. TensorFlow Lite Micro and LiteRT run operators
as they stand in the file, and neither needs more memory than before. LiteRT has kernels
overwrite their inputs, and computes something else in some orders: none of these is taken,
and a file in such an order is put into another where that costs no memory. --ignore-litert
is for TensorFlow Lite Micro alone: it takes orders in which LiteRT needs more memory or,
with a warning, computes something else. With --remove the order alone changes.

` + aliasDescription + `
They only do where that makes the head smaller.

A plan of another tool is kept: it may hold agreements with custom operators
that nobody else knows. --force replaces it, takes it out (--remove) where the
head grows by that, and goes ahead where a file has bytes behind the model that
may not be moved.

For firmware, -o cc=PATH writes the model as an aligned array of C, with its length and
the smallest arena, and -o resolver=PATH the resolver of its operators.

Examples:
  tflarena rewrite model.tflite --reorder -o smaller.tflite
  tflarena rewrite model.tflite --in-place --scratch sizes.csv
  tflarena rewrite planned.tflite --remove -o plain.tflite
  cat model.tflite | tflarena rewrite - -o - > smaller.tflite`

func (p *program) rewriteCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "pin", Value: string(improve.Pins()[0]), Category: groupPlan, Usage: "fix `HOW MUCH` of the plan: " + marked(texts(improve.Pins()), string(improve.Pins()[0]))},
		&cli.StringFlag{Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan, Usage: "plan with `NAME`: see 'tflarena help strategies'"},
		limitFlag(oneSecond),
		aliasFlag(),
	}, scratchFlags(scratchReference)...)
	flags = append(flags,
		&cli.BoolFlag{Name: "reorder", Category: groupPlan, Usage: "put the operators in the order of the smallest arena"},
		&cli.BoolFlag{Name: "ignore-litert", Category: groupPlan, Usage: "let --reorder take orders that are wrong for LiteRT"},
		&cli.BoolFlag{Name: "toposort", Category: groupPlan, Usage: "put operators that stand in no valid order into one"},
		&cli.BoolFlag{Name: "remove", Category: groupPlan, Usage: "take the plan out of the model"},
		forceFlag(),
		&cli.BoolFlag{Name: "in-place", Category: groupOutput, Usage: "replace the input; see 'tflarena help files'"},
	)
	flags = append(flags, modelFlags("write the model to `PATH`; also json=, cc= and resolver=PATH")...)
	return &cli.Command{
		Name: "rewrite", ArgsUsage: "MODEL",
		Usage:       "write a memory plan into a model, or take it out",
		UsageText:   "tflarena rewrite [flags] MODEL -o OUT",
		Description: rewriteDescription,
		Flags:       flags,
		Action:      p.rewrite,
	}
}

func (p *program) rewrite(c *cli.Context) error {
	if err := rewriteUsage(c); err != nil {
		return err
	}
	in, err := p.invocation(c, p.rewriteOutputs)
	if err != nil {
		return err
	}
	ctx, cancel := limited(c.Context, c, 0)
	defer cancel()
	m, err := in.loadModel()
	if err != nil {
		return err
	}
	goal, err := rewriteGoal(c, m)
	if err != nil {
		return err
	}
	o, err := improve.Improve(ctx, m, goal)
	if err := unimproved(c, o, err); err != nil {
		return in.failed(named(m.Name, err))
	}
	place, err := in.rewriteTargets(m, o)
	if err != nil {
		return err
	}
	r := results.NewRewrite(m.Name, place, goal, o, rewriteWording(c, m, goal, o))
	r.Next = nextToHold(c, place, o.After.Smallest)
	p.warn(c, m.Name, r.Warnings)
	return in.emitModel(product{of: m, data: o.Data, arena: o.After.Smallest}, r)
}
