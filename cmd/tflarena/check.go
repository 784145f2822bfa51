package main

import "github.com/urfave/cli/v2"

const textFormat = "text"

var checkFormats = []string{"json", "markdown", "github"}

const checkDescription = `Says whether models fit their memory, for a build that is to fail when they do
not: exit code 4 when a budget is passed; and, whatever it takes, when the memory
plan that a model carries is broken, or when the reference kernels would not run the
model: an operator without a kernel, a type that a kernel refuses. That a custom
operator needs a kernel of the application's is a warning.

The arena is the head, which holds tensors and scratch, and the tail, which the
runtime keeps besides: what arena_used_bytes() returns. The head is what TensorFlow
Lite Micro makes of the model, around the memory plan if the model carries one.
While it allocates, the runtime may need more for a while. The smallest arena is the
least one in which allocation succeeds, and --max-arena is compared with it. All of
it is exact for the reference kernels of the ABI; for other kernels, the tail is an
estimate. Without a budget the figures are printed, and only the model itself can
fail.

A budget file has limits for all models and for single ones: 'tflarena help budgets'
has an example. Without a MODEL, those that the budget file names are checked.
Of several models each has one line; below stands why models fail.

Examples:
  tflarena check model.tflite --max-arena 128K
  tflarena check --budget budgets.json --format github models/
  tflarena check model.tflite
  tflarena check model.tflite --max-head 54KiB --scratch none -o markdown=report.md`

func (p *program) checkCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "max-arena", Category: groupBudget, Usage: "the smallest arena takes at most `SIZE`, such as 128K"},
		&cli.StringFlag{Name: "max-head", Category: groupBudget, Usage: "tensors and scratch take at most `SIZE`"},
		&cli.StringFlag{Name: "max-tensor", Category: groupBudget, Usage: "no single tensor takes more than `SIZE`"},
		&cli.StringFlag{Name: "max-growth", Category: groupBudget, Usage: "the arena grows by at most `GROWTH`, such as 2% or 1K"},
		&cli.StringFlag{Name: "base", Category: groupBudget, Usage: "growth counts from the model `FILE`"},
		&cli.StringFlag{Name: "budget", Category: groupBudget, Usage: "read limits from `FILE`: see 'tflarena help budgets'"},
	}, scratchFlags(scratchReference)...)
	flags = append(flags, outputFlags(checkFormats, sortFlag(), detailsFlag(),
		&cli.StringFlag{Name: "format", Value: textFormat, Category: groupOutput, Usage: "print `FORMAT`: " + marked(append([]string{textFormat}, checkFormats...), textFormat)})...)
	return &cli.Command{
		Name: "check", ArgsUsage: "MODEL...",
		Usage:       "fail when models need more memory than they may",
		UsageText:   "tflarena check [flags] MODEL...",
		Description: checkDescription,
		Flags:       flags,
		Action:      p.check,
	}
}
