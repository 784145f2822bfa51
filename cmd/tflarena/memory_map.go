package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/textmap"
)

// mapFlags are the flags of text maps.
func mapFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "map", Category: groupOutput, Usage: "draw a memory map below the report"},
		&cli.BoolFlag{Name: "ascii", Category: groupOutput, Usage: "draw it as TensorFlow Lite Micro prints its plans"},
	}
}

// drawMap returns the map that flags request, or "".
func (p *program) drawMap(flags []string, l *results.Layout, s results.Style) string {
	switch {
	case len(flags) == 0:
		return ""
	case flags[len(flags)-1] == "--ascii":
		return "\n" + textmap.ASCII(l.Map())
	}
	return "\n" + textmap.Text(l.Map(), p.env.Width(p.stdout), s.Paint)
}
