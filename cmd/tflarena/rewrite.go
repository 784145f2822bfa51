package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/lifetime/rules"
)

const rewriteDescription = `Writes a memory plan into a model (metadata OfflineMemoryAllocation), so that an unmodified TensorFlow Lite Micro runs it in less memory. Nothing else changes: the plan is inserted before the other bytes where it needs room.

A copy of the runtime's own planner tries the plan first, so rewrite never writes a plan that makes the head larger. If there is nothing to gain, the output is a copy of the input, and standard error says so.

  --pin peak  fixes only what is needed to reach the best head and leaves the
              rest to the runtime, which also places kernel scratch
  --pin all   fixes every tensor that can be fixed

The runtime places kernel scratch, whose size depends on the kernel library: the reference kernels, or the one that --kernels names. For other kernels, --scratch names a CSV file with the columns subgraph,operator,bytes and a row for each request, or none.

--reorder also puts the operators into another order, if that makes the required arena smaller. The output says whether the peak of the order is proven to be the least. Operators that access the same resource variable keep their order, unless both only read it. Operators whose side effects are unknown, such as custom operators, keep their order among all operators with side effects. TensorFlow Lite Micro needs no more memory than before, and LiteRT's tensor arena does not grow (temporary tensors of its kernels, such as im2col, are not counted). In some orders, LiteRT computes different results, because its kernels overwrite inputs that other operators have yet to read. --reorder takes none of these orders, and if a file is in such an order, it takes another one if that costs no memory. --ignore-litert is for files that only TensorFlow Lite Micro runs: it also takes orders in which LiteRT's tensor arena grows or, with a warning, computes different results. With --remove, only the order changes. --inline-weights moves weights stored after the flatbuffer (Buffer.offset), which TensorFlow Lite Micro does not read, into it.

--substitute exact replaces operators by cheaper ones with the same outputs, and --repair those that the target's kernels refuse or compute wrongly: see 'tflarena help rules'. If a fault stays, nothing is written. --slim omits what no runtime reads, such as names inside the graph.

With --alias, outputs may be in-place: 'tflarena help alias' says with which kernels that is correct. rewrite uses them only where they make the head smaller.

Another tool's plan is kept, because custom operators may rely on it. --force replaces it. --force --remove takes it out even if the head grows. --force also rewrites a file with bytes of unknown use after the model, which may have to stay in place. A model with a fault is not changed: see 'tflarena help faults'.

For firmware, -o firmware=DIR writes a library that sets up and runs the model, -o cc=PATH the model as an aligned C array with the required arena, and -o resolver=PATH the resolver of its operators.

Examples:
  tflarena rewrite model.tflite --reorder -o smaller.tflite
  tflarena rewrite model.tflite --kernels esp-nn-s3 --repair -o right.tflite`

func (p *program) rewriteCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "pin", Value: string(improve.Pins()[0]), Category: groupPlan, Usage: "fix `HOW MUCH` of the plan: " + marked(texts(improve.Pins()), string(improve.Pins()[0]))},
		&cli.StringFlag{Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan, Usage: "plan with `NAME`: see 'tflarena help strategies'"},
		limitFlag("rewrite"),
		aliasFlag(),
	}, scratchFlags()...)
	flags = append(flags,
		&cli.BoolFlag{Name: "reorder", Category: groupPlan, Usage: "put the operators in the order of the smallest arena"},
		&cli.BoolFlag{Name: "ignore-litert", Category: groupPlan, Usage: "let --reorder take orders that are bad for LiteRT"},
		&cli.BoolFlag{Name: "inline-weights", Category: groupPlan, Usage: "move weights stored after the flatbuffer into it"},
		substituteFlag(),
		&cli.BoolFlag{Name: "repair", Category: groupPlan, Usage: "replace operators that kernels refuse or miscompute"},
		ndebugFlag(),
		&cli.BoolFlag{Name: "slim", Category: groupPlan, Usage: "omit names and other unread parts of the file"},
		&cli.BoolFlag{Name: "toposort", Category: groupPlan, Usage: "put operators into a valid order if they are in none"},
		&cli.BoolFlag{Name: "remove", Category: groupPlan, Usage: "take the plan out of the model"},
		forceFlag(),
		allowFaultsFlag("write the model even if it has a fault"),
		&cli.BoolFlag{Name: "in-place", Category: groupOutput, Usage: "replace the input; see 'tflarena help files'"},
	)
	flags = append(flags, modelFlags("write the model to `PATH`; also json=, cc= and firmware=DIR")...)
	return &cli.Command{
		Name: "rewrite", ArgsUsage: "MODEL",
		Usage:       "write a memory plan into a model, or take it out",
		UsageText:   "tflarena rewrite [flags] MODEL -o OUT",
		Description: rewriteDescription,
		Flags:       flags,
		Action:      p.rewrite,
	}
}

// rewriteFlags are the options of "rewrite".
type rewriteFlags struct {
	target
	app.RewriteOptions
	// inPlace replaces the input.
	inPlace bool
}

func (p *program) rewriteFlags(c *cli.Context) (f *rewriteFlags, in *invocation, err error) {
	f = &rewriteFlags{inPlace: c.Bool("in-place"), RewriteOptions: app.RewriteOptions{
		Goal: improve.Goal{
			Pin: improve.Pin(c.String("pin")), Strategy: c.String("strategy"), Reorder: c.Bool("reorder"), IgnoreLiteRT: c.Bool("ignore-litert"),
			Toposort: c.Bool("toposort"), Remove: c.Bool("remove"), Force: c.Bool("force"),
		},
		InlineWeights: c.Bool("inline-weights"), Repair: c.Bool("repair"), Slim: c.Bool("slim"), AllowFaults: c.Bool("allow-faults"),
	}}
	if f.target, err = p.targetOf(c, c.Args().First()); err != nil {
		return nil, nil, err
	}
	if f.Alias, err = aliasOf(c); err != nil {
		return nil, nil, err
	}
	if !f.Remove {
		p.project.allow(c, &f.Alias, false)
	}
	if f.Substitute, f.NoAssertions, err = substitutions(c, c.Bool("repair")); err != nil {
		return nil, nil, err
	}
	if err := chosen("--pin", c.String("pin"), texts(improve.Pins())); err != nil {
		return nil, nil, err
	}
	switch n := c.NArg(); {
	case n == 0:
		return nil, nil, usagef("rewrite: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return nil, nil, usagef("rewrite: %d models given, but rewrite takes one: run it once for each", n)
	case f.IgnoreLiteRT && !f.Reorder:
		return nil, nil, usagef("--ignore-litert says which orders --reorder may take: use both")
	case f.Toposort && (f.Substitute || f.Repair || f.Slim):
		return nil, nil, usagef("--toposort comes first: run it alone, and --substitute, --repair and --slim on its output")
	case f.Remove && (f.Substitute || f.Repair || f.Slim):
		return nil, nil, usagef("--remove changes nothing but the plan: leave --substitute, --repair and --slim out")
	case f.Remove && (c.IsSet("pin") || c.IsSet("strategy") || f.Alias != rules.NoAlias):
		return nil, nil, usagef("--remove makes no plan: leave --pin, --strategy and --alias out")
	}
	if err := strategyOf(alloc.Offsets, f.Strategy); err != nil {
		return nil, nil, err
	}
	if in, err = p.invocation(c, p.rewriteOutputs); err != nil {
		return nil, nil, err
	}
	return f, in, in.checkFolder(&f.target, in.file)
}

func (p *program) rewrite(c *cli.Context) error {
	f, in, err := p.rewriteFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	m, d, err := in.loadOn(&f.target)
	if err != nil {
		return err
	}
	f.Device = d
	w, err := app.Rewrite(p.ctx, ctx, m, f.RewriteOptions)
	if err != nil {
		return in.failed(named(m.Name, p.unrewritten(err)))
	}
	f.reword(w, p.limit)
	place, err := in.rewriteTargets(f, m, w)
	if err != nil {
		return err
	}
	r := w.Result(place)
	f.addRemedies(nil, r.Notes, r.Warnings)
	r.Notes = append(r.Notes, orderNotes(f.Alias, f.Device.Kernels, len(w.Overlaps))...)
	r.Next = f.nextToHold(place, r.After.Required, w.Faults)
	p.warn(m.Name, r.Warnings)
	return in.emitModel(madeModel{of: m, data: w.Data, required: r.After.Required, on: f.target}, r)
}
