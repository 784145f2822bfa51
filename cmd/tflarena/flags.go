package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/terminal"
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

func topFlag(rows int) cli.Flag {
	return &cli.IntFlag{Name: "top", Value: rows, Category: groupOutput, Usage: "cut tables to `N` rows; 0 keeps all"}
}

// allFlag is the same as --top 0, which nobody guesses.
func allFlag() cli.Flag {
	return &cli.BoolFlag{Name: "all", Category: groupOutput, Usage: "keep all rows of tables; the same as --top 0"}
}

// sortFlag and detailsFlag are about several models.
func sortFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "sort", Category: groupOutput, DefaultText: "as they are named",
		Usage: "sort several models by `KEY`: " + strings.Join(results.Sorts(), ", "),
	}
}

func detailsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "details", Category: groupOutput, Usage: "show the whole report of each of several models, too"}
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// style returns how results are written for people.
func (p *program) style(c *cli.Context) (results.Style, error) {
	if err := chosen("--color", c.String("color"), colorModes); err != nil && c.String("color") != "" {
		return results.Style{}, err
	}
	color, err := p.env.Color(c.String("color"), p.stdout)
	if err != nil {
		return results.Style{}, &usageError{err.Error()}
	}
	if c.IsSet("sort") {
		if err := chosen("--sort", c.String("sort"), results.Sorts()); err != nil {
			return results.Style{}, err
		}
	}
	if c.Int("top") < 0 {
		return results.Style{}, usagef("--top %d: use a number of rows, or 0 for all", c.Int("top"))
	}
	top := c.Int("top")
	if c.Bool("all") {
		if c.IsSet("top") && top != 0 {
			return results.Style{}, usagef("--all and --top %d contradict each other: leave one of them out", top)
		}
		top = 0
	}
	layout := tables.Layout{Plain: c.Bool("bytes")}
	if !c.Bool("wide") {
		layout.Width = p.env.Width(p.stdout)
	}
	return results.Style{Layout: layout, Paint: terminal.NewPalette(color), Top: top, Details: c.Bool("details")}, nil
}
