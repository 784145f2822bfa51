package main

import "github.com/urfave/cli/v2"

const fitDescription = `Makes a model need less memory than its largest operator. It goes up a ladder until
the model is within the budget: a memory plan, another order of the operators,
operators left out that compute nothing, and runs of operators computed piece by
piece, in strips, tiles or slices of the channels, so that no tensor within a run is
ever whole. The weights stay as they are, and so does every output: bit for bit in
TensorFlow Lite Micro and in LiteRT's reference kernels. LiteRT's optimised kernels
may round the last bit of floats, QUANTIZE and DEQUANTIZE otherwise, and its default
delegate whatever it takes.

  --arena SIZE   a budget for all that TensorFlow Lite Micro's arena holds: the head,
                 the tail (an estimate for the reference kernels), and what planning
                 takes
  --head SIZE    a budget for the head alone, in an arena that is no larger than before;
                 with --arena SIZE above that it may be, for a head that has memory
                 of its own
  --least        the least head there is; the arena may be larger than before, as each
                 piece of a convolution has persistent data of its own

Without any of the three, fit shows what can be had and writes no model: for each
--alias some models from the best plan to the least arena, each of them built and
measured, with the extra work and the kernels that it asks for, and the command that
makes one of them. It takes 10 s at most, or what --time-limit says, shared out among
the levels of --alias; --alias WHICH looks no further than that. -o svg=PATH draws it.

Of the ways to meet --arena the one with the least extra work is taken, counted in
multiply-accumulates. Of those to meet --head alone it is the one with the least sum
of extra work and persistent memory, each as a part of what there was. What is taken
was built and measured. Where the budget cannot be met, the best that was
found is printed, with the operator that binds, why it is not cut further, and which flags
meet the budget, tried for 10 s or what --time-limit leaves; nothing is written, and the
exit code is 4, or 5 where --time-limit ended the search. At Ctrl-C the best so far is printed, and with --least it is written. A model
that the reference kernels would not run is fitted with a warning, since the file may be
for another runtime or for other kernels; one that runs is never made one that does not.

A plan that the model carries counts in what it takes as it is. One of another tool stays,
and the output is a copy, unless --force is given. With --time-limit the search goes on, in
rounds of ever more work, until the time is over or nothing is left to try.

` + aliasDescription + `

For firmware, -o cc=PATH writes the model as an aligned array of C, with its length and
the smallest arena, and -o resolver=PATH the resolver of its operators.

Examples:
  tflarena fit model.tflite -o svg=frontier.svg
  tflarena fit model.tflite --arena 128K -o small.tflite
  tflarena fit model.tflite --head 64K --max-overhead 5% -o small.tflite
  tflarena fit model.tflite --least -o small.tflite -o json=report.json`

func (p *program) fitCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "arena", Category: groupBudget, Usage: "bound the whole arena by `SIZE`, such as 128K"},
		&cli.StringFlag{Name: "head", Category: groupBudget, Usage: "bound the arena's head by `SIZE`"},
		&cli.BoolFlag{Name: "least", Category: groupBudget, Usage: "look for the least head"},
		&cli.StringFlag{Name: "max-overhead", Category: groupBudget, DefaultText: "any", Usage: "add at most `PERCENT` multiply-accumulates"},
		aliasFlag(),
		&cli.DurationFlag{Name: "time-limit", Category: groupPlan, DefaultText: "none; 10s without a budget", Usage: "stop after `TIME` with the best so far"},
		&cli.StringFlag{
			Name: "scratch", Value: scratchReference, Category: groupRules,
			Usage: "count kernel scratch: `WHICH` is reference (default), none",
		},
		&cli.BoolFlag{Name: "force", Category: groupPlan, Usage: "replace another tool's plan; move bytes of unknown use"},
		&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON; the same as -o json=-"},
		&cli.StringSliceFlag{
			Name: "output", Aliases: []string{"o"}, Category: groupOutput,
			Usage: "write the model to `PATH`; also json=, svg=, cc=, resolver=",
		},
		&cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers, not 36,864 B (36.00 KiB)"},
		wideFlag(),
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "colour `WHEN`: " + marked(colorModes, "auto")},
		quietFlag(),
	}
	flags = append(flags, targetFlags()...)
	return &cli.Command{
		Name: "fit", ArgsUsage: "MODEL",
		Usage:       "make a model fit into a budget of memory",
		UsageText:   "tflarena fit [flags] MODEL [--arena SIZE -o OUT]",
		Description: fitDescription,
		Flags:       flags,
		Action:      p.fitModel,
	}
}
