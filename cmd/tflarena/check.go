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
fail. A SIZE is a number of bytes, or such as 128KiB.

A budget file has limits for all models and for single ones, by their paths
relative to the file. Flags count before the file, and single models before all:
  {"max_arena": "256KiB",
   "models": {"wake.tflite": {"max_arena": "64KiB", "max_head": 40960}}}
Without a MODEL, those that the budget file names are checked. Of several models each
has one line: what it takes, what the best plan would save, and the verdict; below it
stands why models fail.

Examples:
  tflarena check model.tflite
  tflarena check model.tflite --max-arena 128KiB
  tflarena check --budget budgets.json --format github models/
  tflarena check model.tflite --max-head 54KiB --scratch none -o markdown=report.md`

func (p *program) checkCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "max-arena", Category: groupRules, Usage: "the most that the smallest arena may take, a `SIZE`"},
		&cli.StringFlag{Name: "max-head", Category: groupRules, Usage: "the most that tensors and scratch may take, a `SIZE`"},
		&cli.StringFlag{Name: "max-tensor", Category: groupRules, Usage: "the most that a single tensor may take, a `SIZE`"},
		&cli.StringFlag{Name: "budget", Category: groupRules, Usage: "read limits from `FILE`, as above"},
	}, scratchFlags(scratchReference)...)
	flags = append(flags, outputFlags(checkFormats, sortFlag(), detailsFlag(),
		&cli.StringFlag{Name: "format", Value: textFormat, Category: groupOutput, Usage: "print `FORMAT`: text, json, markdown, or github (annotations of GitHub Actions)"})...)
	return &cli.Command{
		Name: "check", ArgsUsage: "MODEL...",
		Usage:       "fail when models need more memory than they may",
		UsageText:   "tflarena check [flags] MODEL...",
		Description: checkDescription,
		Flags:       flags,
		Action:      p.check,
	}
}
