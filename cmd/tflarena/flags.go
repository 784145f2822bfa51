package main

import (
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// Groups of flags in help.
const (
	groupBudget = "Budget:"
	groupPlan   = "Planning:"
	groupRules  = "Runtime:"
	groupOutput = "Result:"
)

// groups are in the order of help.
var groups = []string{groupBudget, groupPlan, groupRules, groupOutput}

// outputFlags are the flags of every command that prints data in the given formats.
func outputFlags(formats []string, more ...cli.Flag) []cli.Flag {
	flags := []cli.Flag{jsonFlag()}
	if slices.Contains(formats, "csv") {
		flags = append(flags, &cli.BoolFlag{Name: "csv", Category: groupOutput, Usage: "print CSV; the same as -o csv=-"})
	}
	flags = append(flags,
		outputFlag("write `FORMAT=PATH`, or PATH by its extension: "+strings.Join(formats, ", ")),
		bytesFlag(),
		wideFlag(),
		colorFlag(),
		quietFlag(),
	)
	return append(flags, more...)
}

// modelFlags are the flags of every command that writes a model and a report. Output is the usage of
// -o.
func modelFlags(output string) []cli.Flag {
	return []cli.Flag{jsonFlag(), outputFlag(output), bytesFlag(), colorFlag(), quietFlag()}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON; the same as -o json=-"}
}

func outputFlag(usage string) cli.Flag {
	return &cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: groupOutput, Usage: usage}
}

func bytesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers, not 36,864 B (36.00 KiB)"}
}

func colorFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "colour `WHEN`: " + marked(colorModes, "auto")}
}

// allowFaultsFlag is the flag of commands that fail on models with wrong results.
func allowFaultsFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-faults", Category: groupRules, Usage: usage}
}

// forceFlag is for commands that rewrite a model.
func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Category: groupPlan, Usage: "replace another tool's plan; move bytes of unknown use"}
}

func wideFlag() cli.Flag {
	return &cli.BoolFlag{Name: "wide", Category: groupOutput, Usage: "print lines of any length: whole names, all columns"}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: groupOutput, Usage: "print no warnings and no progress"}
}

// reworded returns flags with another usage for one of them.
func reworded(flag, usage string, flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok && b.Name == flag {
			b.Usage = usage
		}
	}
	return flags
}

// briefly returns a flag with a shorter usage, for a page of help without room for its own.
func briefly(f cli.Flag, usage string) cli.Flag {
	if s, ok := f.(*cli.StringFlag); ok {
		s.Usage = usage
	}
	return f
}
