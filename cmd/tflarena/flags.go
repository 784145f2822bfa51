package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/lifetime/rules"
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

// shareFlag turns LiteRT's sharing of memory on. It was called --in-place once, which is what
// rewrite calls the replacing of a file.
const shareFlag = "share-in-place"

// runtimeFlags choose how a model is seen.
func runtimeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "runtime", Aliases: []string{"r"}, Value: rules.Names()[0], Category: groupRules,
			Usage: "see the model as `NAME`: " + marked(rules.Names(), rules.Names()[0]),
		},
		&cli.IntFlag{
			Name: "subgraph", Value: -1, DefaultText: "all or 0", Category: groupRules,
			Usage: "plan subgraph `N` where each is planned alone",
		},
		&cli.BoolFlag{
			Name: shareFlag, Category: groupRules,
			Usage: "let outputs take the place of inputs, as LiteRT's kernels may",
		},
	}
}

// runtimeFlagSet returns the first of [runtimeFlags] that the command line has, or "".
func runtimeFlagSet(c *cli.Context) string {
	for _, f := range runtimeFlags() {
		if c.IsSet(f.Names()[0]) {
			return dashed(f.Names()[0])
		}
	}
	return ""
}

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
		&cli.BoolFlag{Name: "wide", Category: groupOutput, Usage: "lines of any length: no name is cut, no column left out"},
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "colour `WHEN`: " + marked(colorModes, "auto")},
		quietFlag(),
	)
	return append(flags, more...)
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: groupOutput, Usage: "no warnings and no progress"}
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

// ruleSet returns the rule set that the flags choose.
func ruleSet(c *cli.Context) (rules.Rules, error) {
	r, err := runtimeOf(c.String("runtime"))
	if err != nil {
		return r, err
	}
	if c.Bool(shareFlag) && !r.IsLiteRT() {
		return r, usagef("--%s is a switch of LiteRT: use it with --runtime litert", shareFlag)
	}
	if n := c.Int("subgraph"); c.IsSet("subgraph") && n < 0 {
		return r, usagef("--subgraph %d: subgraphs count from 0, which is the first", n)
	}
	r.InPlace = c.Bool(shareFlag)
	return r, nil
}
