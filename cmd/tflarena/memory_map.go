package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/textmap"
)

// mapFlags are the flags of text maps.
func mapFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "map", Category: groupOutput, Usage: "draw what lies where and when, below the report"},
		&cli.BoolFlag{Name: "ascii", Category: groupOutput, Usage: "draw it as TensorFlow Lite Micro prints its plans"},
	}
}

// asksMap reports whether the command line requests a map.
func asksMap(c *cli.Context) bool { return c.Bool("map") || c.Bool("ascii") }

// checkMap rejects a map of several models.
func checkMap(c *cli.Context, files []string) error {
	if asksMap(c) && len(files) != 1 {
		return usagef("%s shows one model, and %d are given", mapFlag(c), len(files))
	}
	return nil
}

// mapFlag returns the flag that requests the map.
func mapFlag(c *cli.Context) string {
	if c.Bool("map") {
		return "--map"
	}
	return "--ascii"
}

// drawMap returns the requested map, or "".
func (p *program) drawMap(c *cli.Context, l *results.Layout, s results.Style) string {
	switch {
	case !asksMap(c):
		return ""
	case c.Bool("ascii"):
		return "\n" + textmap.ASCII(l.Map())
	}
	return "\n" + textmap.Text(l.Map(), p.env.Width(p.stdout), s.Paint)
}
