package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
)

const semanticsFlag = "semantics"

// semantics are the values of --semantics.
var semantics = []string{string(lifetime.Simultaneous), string(lifetime.Atomic)}

func tilesFlag() cli.Flag {
	return &cli.StringFlag{
		Name: semanticsFlag, Value: string(lifetime.Simultaneous), Category: groupPlan,
		Usage: "tiles in `KIND` steps: " + marked(semantics, string(lifetime.Simultaneous)),
	}
}

// isTiles reports whether an input is a problem of tiles rather than a model or a CSV problem.
func isTiles(title string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(title), ".json") || tilejson.LooksLike(data[:min(len(data), 1<<16)])
}

// errTiles is the error of commands that read no problem of tiles.
var errTiles = invalidError{errors.New("this is JSON and not a model; if it is a problem of tiles, 'tflarena plan' takes it")}

// checkSemantics rejects an unknown --semantics.
func (f *planFlags) checkSemantics() error {
	return chosen("--"+semanticsFlag, string(f.semantics), semantics)
}

// checkTiles rejects flags for other inputs than the cases of a problem of tiles, and applies --align.
func (f *planFlags) checkTiles(title string, cases []tilejson.Case, specs []output.Spec) error {
	switch {
	case f.ofRuntime != "":
		return usagef("%s is for models, and %s is a problem of tiles, which no runtime sees: leave it out", f.ofRuntime, title)
	case f.ofWhole != "":
		return usagef("%s is for whole tensors, and %s is a problem of tiles: leave it out", f.ofWhole, title)
	case f.Approach != alloc.Offsets:
		return usagef("--approach %s: a problem of tiles needs offsets: leave --approach out", f.Approach)
	}
	if err := f.checkSemantics(); err != nil {
		return err
	}
	for _, s := range specs {
		switch {
		case render.IsFormat(s.Format) && len(cases) > 1:
			return usagef("-o %s=%s: a picture shows one case, and %s has %d", s.Format, s.Path, title, len(cases))
		case s.Format == htmlFormat && len(cases) > 1:
			return usagef("-o %s=%s: a page shows one case, and %s has %d", s.Format, s.Path, title, len(cases))
		case s.Format != jsonFormat && s.Format != "csv" && s.Format != htmlFormat && !render.IsFormat(s.Format):
			return usagef("-o %s=%s: a plan of tiles is written as json, csv, svg, png, pdf or html", s.Format, s.Path)
		}
	}
	for _, x := range cases {
		for i := range x.Tensors {
			if f.align > 0 {
				x.Tensors[i].Align = f.align
			}
		}
	}
	return nil
}

// A plannedCase is a case of a problem of tiles with its plan.
type plannedCase struct {
	name    string
	problem tiles.Problem
	plan    *alloc.Plan
	result  *results.Plan
}

// planTiles plans each case of a problem of tiles.
func (p *program) planTiles(ctx context.Context, f *planFlags, title string, list []tilejson.Case, in *invocation) error {
	var cases []plannedCase
	var plans []*results.Plan
	for _, x := range list {
		planned, err := p.planCase(ctx, f, title, x)
		if err != nil {
			return in.failed(err)
		}
		p.judge(planned.result, f.capacity, nil)
		cases, plans = append(cases, planned), append(plans, planned.result)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		return p.casesOutput(in, format, title, cases, plans)
	}, func() string { return results.TilesText(plans, in.style) })
}

// casesOutput returns the plans of cases in one format: pictures and pages show a single one.
func (p *program) casesOutput(in *invocation, format, title string, cases []plannedCase, plans []*results.Plan) ([]byte, error) {
	switch only := cases[0]; {
	case format == jsonFormat:
		elements := make([]any, 0, len(plans))
		for _, r := range plans {
			elements = append(elements, r)
		}
		return p.document(in.command, elements)
	case render.IsFormat(format):
		return rendered(format, results.TilesPicture(only.name, only.problem, only.plan, nil))
	case format == htmlFormat:
		r, err := results.NewTilesReport(title, only.problem, only.plan)
		if err != nil {
			return nil, named(title, invalidError{err})
		}
		return p.page([]any{r}, title)
	}
	return results.TilesCSV(plans), nil
}

func (p *program) planCase(ctx context.Context, f *planFlags, title string, x tilejson.Case) (found plannedCase, err error) {
	found = plannedCase{name: x.Name, problem: tiles.Problem{Tensors: x.Tensors, Semantics: f.semantics}}
	records, err := tiles.Records(found.problem)
	if err == nil {
		o := f.Options
		stop := p.showProgress(&o)
		found.plan, err = tiles.Solve(ctx, found.problem, o)
		stop()
	}
	if bad := (*tiles.Error)(nil); errors.As(err, &bad) {
		return found, named(title, invalidError{err})
	}
	if err != nil {
		return found, named(title, p.solveError(records, err))
	}
	p.noteTime(title, found.plan.Interrupted)
	found.result = results.NewTilePlan(title, x.Name, f.semantics, records, found.plan)
	return found, nil
}

// checkPage rejects a page of a plan without tiles: "report" makes the page of a model.
func checkPage(j *app.Problem, specs []output.Spec) error {
	i := slices.IndexFunc(specs, func(s output.Spec) bool { return s.Format == htmlFormat })
	switch {
	case i < 0:
		return nil
	case j.View == nil:
		return usagef("-o %s=%s: %s has no page; draw it with -o svg=PATH, png= or pdf=", htmlFormat, specs[i].Path, j.Title)
	}
	return usagef("-o %s=%s: 'tflarena report' makes the page of a model, and plan --%s one of a model in tiles", htmlFormat, specs[i].Path, tilesFlagName)
}
