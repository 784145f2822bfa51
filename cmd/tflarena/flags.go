package main

import (
	"context"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// The groups that help shows flags in, which it sorts by name.
const (
	groupRules  = "Input:"
	groupPlan   = "Planning:"
	groupOutput = "Result:"
)

// runtimeFlags choose how a model is seen.
func runtimeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "runtime", Aliases: []string{"r"}, Value: rules.Names()[0], Category: groupRules,
			Usage: "see the model as `NAME` does: " + strings.Join(rules.Names(), ", "),
		},
		&cli.IntFlag{
			Name: "subgraph", Value: -1, DefaultText: "all, or the first", Category: groupRules,
			Usage: "plan subgraph `N` where the runtime plans each on its own",
		},
		&cli.BoolFlag{
			Name: "in-place", Category: groupRules,
			Usage: "let outputs share memory with inputs where LiteRT's kernels allow it (litert only)",
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
			Usage: "write to `FORMAT=PATH`, or to a PATH whose extension is the format (" + strings.Join(formats, ", ") + "); - is standard output; repeatable",
		},
		&cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers instead of 36,864 B (36.00 KiB)"},
		&cli.BoolFlag{Name: "wide", Category: groupOutput, Usage: "lines of any length: no name is cut, no column left out"},
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "`WHEN` to colour: auto, always or never"},
		quietFlag(),
	)
	return append(flags, more...)
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: groupOutput, Usage: "no warnings and no progress on standard error"}
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

// oneSecond says which time limit applies by default where auto plans.
const oneSecond = "1s for what is not proven by then"

func limitFlag(byDefault string) cli.Flag {
	return &cli.DurationFlag{Name: "time-limit", Category: groupPlan, DefaultText: byDefault, Usage: "stop planning after `TIME`, such as 500ms or 10s, with the best so far"}
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// style returns how results are written for people.
func (p *program) style(c *cli.Context) (results.Style, error) {
	color, err := p.env.Color(c.String("color"), p.stdout)
	if err != nil {
		return results.Style{}, &usageError{err.Error()}
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

// ruleSet returns the rule set that the flags choose.
func ruleSet(c *cli.Context) (rules.Rules, error) {
	r, err := rules.Lookup(c.String("runtime"))
	if err != nil {
		return r, usagef("--runtime: %v", err)
	}
	if c.Bool("in-place") && !r.IsLiteRT() {
		return r, usagef("--in-place is a switch of LiteRT: use it with --runtime litert")
	}
	if n := c.Int("subgraph"); c.IsSet("subgraph") && n < 0 {
		return r, usagef("--subgraph %d: subgraphs count from 0", n)
	}
	r.InPlace = c.Bool("in-place")
	return r, nil
}

// searchTime returns how long a plan that is not proven optimal is searched for a better
// one.
func searchTime(c *cli.Context) time.Duration {
	if limit := c.Duration("time-limit"); limit > 0 {
		return limit
	}
	return alloc.DefaultSearchTime
}

// limited returns a context that ends with the time limit.
func limited(c *cli.Context) (context.Context, context.CancelFunc, error) {
	limit := c.Duration("time-limit")
	switch {
	case limit < 0 || limit == 0 && c.IsSet("time-limit"):
		return nil, nil, usagef("--time-limit %s: use a time above zero, such as 10s", limit)
	case limit == 0:
		return c.Context, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(c.Context, limit)
	return ctx, cancel, nil
}
