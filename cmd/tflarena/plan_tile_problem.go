package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/lifetime"
)

const semanticsFlag = "semantics"

func tilesFlag() cli.Flag {
	return &cli.StringFlag{
		Name: semanticsFlag, Value: string(lifetime.Simultaneous), Category: groupPlan,
		Usage: "tiles in `KIND` steps: simultaneous (default), atomic",
	}
}

// isTiles reports whether an input is a problem of tiles rather than a model or a CSV problem.
func isTiles(title string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(title), ".json") || tilejson.LooksLike(data[:min(len(data), 1<<16)])
}

// errTiles is the error of commands that read no problem of tiles.
var errTiles = invalidError{errors.New("this is JSON and not a model; if it is a problem of tiles, 'tflarena plan' takes it")}

// readTiles reads the cases of a problem of tiles.
func (j *job) readTiles(data []byte) (err error) {
	if j.cases, err = tilejson.Parse(data); err != nil {
		return invalidError{err}
	}
	return nil
}

// checkTiles rejects flags for other inputs, and applies --align.
func (j *job) checkTiles(c *cli.Context, specs []output.Spec) error {
	if flag := firstSet(c, runtimeFlags()); flag != "" {
		return usagef("%s is for models, and %s is a problem of tiles, which no runtime sees: leave it out", flag, j.title)
	}
	for _, flag := range []string{"solution", "alias", "scratch", "kernels"} {
		if c.IsSet(flag) {
			return usagef("--%s is for whole tensors, and %s is a problem of tiles: leave it out", flag, j.title)
		}
	}
	if alloc.Approach(c.String("approach")) != alloc.Offsets {
		return usagef("--approach %s: a problem of tiles needs offsets: leave --approach out", c.String("approach"))
	}
	for _, s := range specs {
		switch {
		case render.IsFormat(s.Format) && len(j.cases) > 1:
			return usagef("-o %s=%s: a picture shows one case, and %s has %d", s.Format, s.Path, j.title, len(j.cases))
		case s.Format == htmlFormat && len(j.cases) > 1:
			return usagef("-o %s=%s: a page shows one case, and %s has %d", s.Format, s.Path, j.title, len(j.cases))
		case s.Format != jsonFormat && s.Format != "csv" && s.Format != htmlFormat && !render.IsFormat(s.Format):
			return usagef("-o %s=%s: a plan of tiles is written as json, csv, svg, png, pdf or html", s.Format, s.Path)
		}
	}
	if !c.IsSet("align") {
		return nil
	}
	bytes, err := sizeOf(c, "align", 1)
	for _, x := range j.cases {
		for i := range x.Tensors {
			x.Tensors[i].Align = bytes
		}
	}
	return err
}

// semantics returns the value of --semantics.
func semantics(c *cli.Context) (lifetime.Semantics, error) {
	switch s := lifetime.Semantics(c.String(semanticsFlag)); s {
	case lifetime.Simultaneous, lifetime.Atomic:
		return s, nil
	default:
		return "", usagef("--%s %q: use %s or %s", semanticsFlag, s, lifetime.Atomic, lifetime.Simultaneous)
	}
}
