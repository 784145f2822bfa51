package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/terminal"
)

func topFlag(rows int) cli.Flag {
	return &cli.IntFlag{Name: "top", Value: rows, Category: groupOutput, Usage: "cut tables to `N` rows; 0 keeps all"}
}

// allFlag is a discoverable synonym of --top 0.
func allFlag() cli.Flag {
	return &cli.BoolFlag{Name: "all", Category: groupOutput, Usage: "keep all rows of tables; the same as --top 0"}
}

// sortFlag and detailsFlag are for several models.
func sortFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "sort", Category: groupOutput, DefaultText: "as they are named",
		Usage: "sort several models by `KEY`: " + strings.Join(results.Sorts(), ", "),
	}
}

func detailsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "details", Category: groupOutput, Usage: "also show the whole report of each model"}
}

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// style returns the text style of results.
func (p *program) style(c *cli.Context) (results.Style, error) {
	if err := chosen("--color", c.String("color"), colorModes); err != nil && c.String("color") != "" {
		return results.Style{}, err
	}
	color, err := p.env.Color(c.String("color"), p.stdout)
	if err != nil {
		return results.Style{}, &usageError{err.Error()}
	}
	if c.Int("top") < 0 {
		return results.Style{}, usagef("--top %d: use a number of rows, or 0 for all", c.Int("top"))
	}
	if sort := c.String("sort"); sort != "" {
		if err := chosen("--sort", sort, results.Sorts()); err != nil {
			return results.Style{}, err
		}
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
