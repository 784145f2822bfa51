package main

import "github.com/urfave/cli/v2"

const fitDescription = `Makes a model need less memory than its largest operator. Until the model is within the budget, fit takes one step after the other: a memory plan, another order of the operators, leaving out operators that compute nothing, and computing runs of operators piece by piece. The pieces are strips of rows, tiles, or slices of the channels, so that a tensor within such a run is never in memory as a whole.

The weights stay the same, and so do the outputs, bit for bit, in TensorFlow Lite Micro and in LiteRT's reference kernels. LiteRT's optimised kernels may round the last bit of floats, QUANTIZE and DEQUANTIZE differently, and its default delegate may round the last bit of every operator that it takes over.

  --arena SIZE  The required arena takes at most SIZE: the head, the tail, and
                what planning needs for a moment.
  --head SIZE   The head takes at most SIZE, and the arena no more than before.
                Add --arena SIZE to allow a larger arena, for a target that has
                separate memory for the head.
  --least       Look for the smallest head. The arena may become larger than
                before, because each piece of a convolution has persistent
                data of its own.

Without these three flags, fit writes no model. It shows which arenas are possible: for each --alias, it lists some models, from the best plan to the least arena, with the extra work and kernels that each needs, and the command that makes one. All were built and measured. This takes 10 s at most, or the --time-limit. --alias WHICH stops at WHICH. -o svg=PATH draws the list.

Of all ways to meet --arena, fit takes the one with the least extra work, counted in multiply-accumulates. With --head alone, it takes the one with the smallest sum of extra work and extra persistent memory, each as a fraction of the model's.

If fit cannot meet the budget, it writes nothing, and the exit code is 4, or 5 if --time-limit ended the search. The output then has the best result, the operator that needs most memory, why it is not cut further, and which flags would meet the budget (fit tries them for 10 s, or the rest of --time-limit). At Ctrl-C, fit prints the best so far; --least also writes it.

A model with a fault is not changed: see 'tflarena help faults'.

The model "as it is" includes the memory plan that it carries. Another tool's plan stays, and the output is a copy, unless --force is given. With --time-limit, the search goes on in ever longer rounds until the time is over or nothing is left to try.

With --alias, an output may use the memory of an input that is not needed after its operator. 'tflarena help alias' says with which kernels that is right. --alias auto takes the first level that meets the budget. With --least, it takes the model of the least arena, not the least head.

For firmware, -o cc=PATH writes the model as an aligned C array with its required arena, and -o resolver=PATH writes the resolver of its operators.

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
		aliasFlag(autoAlias),
		limitFlag("fit"),
		forceFlag(),
		allowFaultsFlag("write a model that computes wrong results or does not run, too"),
		wideFlag(),
	}
	flags = append(append(flags, modelFlags("write the model to `PATH`; also json=, svg=, cc=, resolver=")...), scratchFlags(scratchReference)...)
	return &cli.Command{
		Name: "fit", ArgsUsage: "MODEL",
		Usage:       "make a model fit into a budget of memory",
		UsageText:   "tflarena fit [flags] MODEL [--arena SIZE -o OUT]",
		Description: fitDescription,
		Flags:       flags,
		Action:      p.fitModel,
	}
}
