package main

import "github.com/urfave/cli/v2"

const textFormat = "text"

var checkFormats = []string{"json", "markdown", "github"}

const checkDescription = `Says whether models fit into their memory, so that a build can fail when they do not. The exit code is 4 when a budget is exceeded. Whatever the budget is, it is also 4 when the memory plan that a model carries is broken, and when the model has a fault: TensorFlow Lite Micro does not run it with the chosen kernels (an operator has no kernel, a kernel refuses a type or crashes), or a kernel computes wrong results. --allow-faults passes wrong results. Faults that only some builds have, or that were seen in no run, are warnings; 'tflarena help faults' explains them. A custom operator, which needs a kernel of the application's own, is a warning.

The required arena is the least one in which allocation succeeds: copy it into your firmware. check compares --max-arena with it. Used is what arena_used_bytes() returns: the head, which holds tensors and scratch, and the tail, which holds what the runtime keeps besides. The head is what TensorFlow Lite Micro plans for the model, around the memory plan if the model carries one. The required arena can be larger than what is used, because the runtime may need more memory for a moment while it allocates. All of this is exact for the kernels that --kernels names and for the ABI; with --scratch FILE, the tail is an estimate. Without a budget, check prints the figures, and it fails only if the model itself is at fault.

A budget file has limits for all models and for single models: see 'tflarena help budgets'. Without a MODEL, check takes the models that the budget file names. If there are several models, each gets one line, and the reasons for failures follow below.

Examples:
  tflarena check model.tflite --max-arena 128K
  tflarena check --budget budgets.json --format github models/
  tflarena check model.tflite
  tflarena check model.tflite --max-head 54KiB -o markdown=report.md`

func (p *program) checkCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "max-arena", Category: groupBudget, Usage: "the required arena takes at most `SIZE`, such as 128K"},
		&cli.StringFlag{Name: "max-head", Category: groupBudget, Usage: "tensors and scratch take at most `SIZE`"},
		&cli.StringFlag{Name: "max-tensor", Category: groupBudget, Usage: "no single tensor takes more than `SIZE`"},
		&cli.StringFlag{Name: "max-growth", Category: groupBudget, Usage: "used bytes grow by at most `GROWTH`, such as 2% or 1K"},
		&cli.StringFlag{Name: "base", Category: groupBudget, Usage: "growth counts from the model `FILE`"},
		&cli.StringFlag{Name: "budget", Category: groupBudget, Usage: "read limits from `FILE`: see 'tflarena help budgets'"},
		allowFaultsFlag("pass a model that computes wrong results"),
	}, scratchFlags()...)
	flags = append(flags, outputFlags(checkFormats, sortFlag(), detailsFlag(),
		&cli.StringFlag{Name: "format", Value: textFormat, Category: groupOutput, Usage: "print `FORMAT`: " + marked(append([]string{textFormat}, checkFormats...), textFormat)})...)
	return &cli.Command{
		Name: "check", ArgsUsage: "MODEL...",
		Usage:       "fail when a model needs more memory than it may",
		UsageText:   "tflarena check [flags] MODEL...",
		Description: checkDescription,
		Flags:       flags,
		Action:      p.check,
	}
}
