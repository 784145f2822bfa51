package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// The groups that help shows flags in.
const (
	groupBudget = "Budget:"
	groupPlan   = "Planning:"
	groupRules  = "Runtime:"
	groupOutput = "Result:"
)

// groups are in the order in which help has them.
var groups = []string{groupBudget, groupPlan, groupRules, groupOutput}

// outputFlags are those of every command that prints data in the formats given.
func outputFlags(formats []string, more ...cli.Flag) []cli.Flag {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON; the same as -o json=-"},
	}
	if contains(formats, "csv") {
		flags = append(flags, &cli.BoolFlag{Name: "csv", Category: groupOutput, Usage: "print CSV; the same as -o csv=-"})
	}
	flags = append(flags,
		&cli.StringSliceFlag{
			Name: "output", Aliases: []string{"o"}, Category: groupOutput,
			Usage: "write `FORMAT=PATH`, or a PATH with the extension of a format: " + strings.Join(formats, ", "),
		},
		&cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers, not 36,864 B (36.00 KiB)"},
		wideFlag(),
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "colour `WHEN`: " + marked(colorModes, "auto")},
		quietFlag(),
	)
	return append(flags, more...)
}

func wideFlag() cli.Flag {
	return &cli.BoolFlag{Name: "wide", Category: groupOutput, Usage: "print lines of any length: whole names, all columns"}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: groupOutput, Usage: "print no warnings and no progress"}
}

// reworded returns flags of which one does something else for a command than for others.
func reworded(flag, usage string, flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok && b.Name == flag {
			b.Usage = usage
		}
	}
	return flags
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}
