package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
)

// A plannedCase is a case of a problem of tiles with its plan.
type plannedCase struct {
	name    string
	problem tiles.Problem
	plan    *alloc.Plan
	result  *results.Plan
}

// planTiles plans each case of a problem of tiles.
func (p *program) planTiles(ctx context.Context, c *cli.Context, j *job, o alloc.Options, capacity int64, in *invocation) error {
	s, err := semantics(c)
	if err != nil {
		return err
	}
	var cases []plannedCase
	var plans []*results.Plan
	for _, x := range j.cases {
		planned, err := p.planCase(ctx, c, j.title, x, s, o)
		if err != nil {
			return in.failed(err)
		}
		if r := planned.result; capacity >= 0 {
			r.Judge(capacity)
			p.code = max(p.code, capacityCode(r.Capacity.Verdict))
		}
		cases, plans = append(cases, planned), append(plans, planned.result)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		return p.casesOutput(in, format, j.title, cases, plans)
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

func (p *program) planCase(ctx context.Context, c *cli.Context, title string, x tilejson.Case, s lifetime.Semantics, o alloc.Options) (found plannedCase, err error) {
	found = plannedCase{name: x.Name, problem: tiles.Problem{Tensors: x.Tensors, Semantics: s}}
	var records []lifetime.Record
	err = func() (err error) {
		defer p.showProgress(&o)()
		if records, err = tiles.Records(found.problem); err == nil {
			found.plan, err = tiles.Solve(ctx, found.problem, o)
		}
		return err
	}()
	if bad := (*tiles.Error)(nil); errors.As(err, &bad) {
		return found, named(title, invalidError{err})
	}
	if err != nil {
		return found, named(title, p.solveError(records, err))
	}
	p.noteTime(title, found.plan.Interrupted)
	found.result = results.NewTilePlan(title, x.Name, s, records, found.plan)
	return found, nil
}

// checkPage rejects a page of a plan without tiles: "report" makes the page of a model.
func (j *job) checkPage(specs []output.Spec) error {
	i := slices.IndexFunc(specs, func(s output.Spec) bool { return s.Format == htmlFormat })
	switch {
	case i < 0:
		return nil
	case j.view == nil:
		return usagef("-o %s=%s: %s has no page; draw it with -o svg=PATH, png= or pdf=", htmlFormat, specs[i].Path, j.title)
	}
	return usagef("-o %s=%s: 'tflarena report' makes the page of a model, and plan --%s one of a model in tiles", htmlFormat, specs[i].Path, tilesFlagName)
}
