package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tilecase"
	"github.com/tflarena/tflarena/lifetime"
)

const semanticsFlag = "semantics"

func tilesFlag() cli.Flag {
	return &cli.StringFlag{
		Name: semanticsFlag, Value: string(tiles.Simultaneous), Category: groupPlan,
		Usage: "tiles in `KIND` steps: simultaneous (default), atomic",
	}
}

// isTiles reports whether an input is a problem of tiles rather than a model or a CSV problem.
func isTiles(title string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(title), ".json") || tilecase.LooksLike(data[:min(len(data), 1<<16)])
}

// errTiles is for commands that take no problem of tiles.
var errTiles = invalidError{errors.New("this is JSON and not a model; if it is a problem of tiles, 'tflarena plan' takes it")}

// readTiles reads the cases of a problem of tiles.
func (j *job) readTiles(data []byte) (err error) {
	if j.cases, err = tilecase.Parse(data); err != nil {
		return invalidError{err}
	}
	return nil
}

// checkTiles refuses flags that are for other inputs, and sets the alignment of --align.
func (j *job) checkTiles(c *cli.Context, specs []output.Spec) error {
	if flag := runtimeFlagSet(c); flag != "" {
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
		case s.Format != jsonFormat && s.Format != "csv" && !render.IsFormat(s.Format):
			return usagef("-o %s=%s: a plan of tiles is written as json, csv, svg, png or pdf", s.Format, s.Path)
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

// semantics returns what --semantics says.
func semantics(c *cli.Context) (tiles.Semantics, error) {
	switch s := tiles.Semantics(c.String(semanticsFlag)); s {
	case tiles.Simultaneous, tiles.Atomic:
		return s, nil
	default:
		return "", usagef("--%s %q: use %s or %s", semanticsFlag, s, tiles.Atomic, tiles.Simultaneous)
	}
}

// planTiles plans each case of a problem of tiles.
func (p *program) planTiles(ctx context.Context, c *cli.Context, j *job, o alloc.Options, capacity int64, in *invocation) error {
	s, err := semantics(c)
	if err != nil {
		return err
	}
	var plans []*results.Plan
	var elements []any
	var picture *drawing.Page
	for _, x := range j.cases {
		r, plan, err := p.planCase(ctx, c, j.title, x, s, o)
		if err != nil {
			return in.failed(err)
		}
		if len(j.cases) == 1 {
			picture = results.LivePicture(x.Name, tiles.Problem{Tensors: x.Tensors, Semantics: s}, plan)
		}
		if capacity >= 0 {
			r.Judge(capacity)
			p.code = max(p.code, capacityCode(r.Capacity.Verdict))
		}
		plans, elements = append(plans, r), append(elements, r)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		switch {
		case format == jsonFormat:
			return p.document(in.command, elements)
		case render.IsFormat(format):
			return rendered(format, picture)
		}
		return results.TilesCSV(plans), nil
	}, func() string { return results.TilesText(plans, in.style) })
}

// planCase plans one case.
func (p *program) planCase(ctx context.Context, c *cli.Context, title string, x tilecase.Case, s tiles.Semantics, o alloc.Options) (*results.Plan, *alloc.Plan, error) {
	problem := tiles.Problem{Tensors: x.Tensors, Semantics: s}
	var records []lifetime.Record
	var plan *alloc.Plan
	err := func() (err error) {
		defer p.showProgress(c, &o)()
		if records, err = tiles.Records(problem); err == nil {
			plan, err = tiles.Solve(ctx, problem, o)
		}
		return err
	}()
	if bad := (*tiles.Error)(nil); errors.As(err, &bad) {
		return nil, nil, named(title, invalidError{err})
	}
	if err != nil {
		return nil, nil, named(title, solveError(c, records, err))
	}
	p.noteTime(c, title, plan)
	return results.NewTilePlan(title, x.Name, s, records, plan), plan, nil
}
