package main

import (
	"context"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/tflite"
)

// planTiling plans the off-chip memory of a model that is computed tile by tile.
func (p *program) planTiling(ctx context.Context, c *cli.Context, o alloc.Options, capacity int64, in *invocation) error {
	cut, err := tilingOptions(c)
	if err != nil {
		return err
	}
	if err := tilingFormats(in.specs); err != nil {
		return err
	}
	if err := p.readGiven(c, &cut); err != nil {
		return in.failed(err)
	}
	m, err := in.loadModel()
	if err != nil {
		return err
	}
	if m, err = p.reshaped(m); err != nil {
		return in.failed(err)
	}
	subgraph := max(c.Int("subgraph"), 0)
	if c.IsSet("subgraph") && (c.Int("subgraph") < 0 || subgraph >= len(m.Subgraphs)) {
		return usagef("--subgraph %d: %s has %d subgraphs, counted from 0", c.Int("subgraph"), m.Name, len(m.Subgraphs))
	}
	p.warn(m.Name, remarks.Unusual(m))
	if !c.IsSet(timeLimitFlag) {
		var cancel context.CancelFunc
		ctx, cancel = byDefault(ctx, alloc.DefaultSearchTime)
		defer cancel()
	}
	found, err := func() (*tiling.Result, error) {
		defer p.showProgress(&o)()
		return tiling.Solve(ctx, m, subgraph, cut, o)
	}()
	if err != nil {
		return in.failed(p.tilingError(c, m.Name, cut.Given != nil, err))
	}
	p.noteTime(m.Name, found.Plan.Interrupted)
	r := results.NewTiling(m.Name, m, subgraph, cut.OnChip, found)
	r.Warnings, r.InputShapes = remarks.Unusual(m), inputShapes(p.shapes)
	r.Tiling.Next = nextOfTiling(c)
	if capacity >= 0 {
		r.Judge(capacity)
		p.code = max(p.code, capacityCode(r.Capacity.Verdict))
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		return p.tilingOutput(in, format, m, subgraph, r, found)
	}, func() string { return r.Text(in.style) })
}

// tilingFormats rejects outputs that do not support tiled tensors.
func tilingFormats(specs []output.Spec) error {
	for _, s := range specs {
		if known := []string{jsonFormat, "csv", casesFormat, htmlFormat}; !slices.Contains(known, s.Format) && !render.IsFormat(s.Format) {
			return usagef("-o %s=%s: a plan of tiles is written as json, csv, svg, png, pdf, html or tiles", s.Format, s.Path)
		}
	}
	return nil
}

// tilingOutput returns a plan of a tiled model in one format.
func (p *program) tilingOutput(in *invocation, format string, m *tflite.Model, subgraph int, r *results.Plan, found *tiling.Result) ([]byte, error) {
	switch {
	case format == jsonFormat:
		return p.document(in.command, []any{r})
	case render.IsFormat(format):
		return rendered(format, results.TilingPicture(m, subgraph, found))
	case format == htmlFormat:
		page, err := results.NewTilingReport(m.Name, m, subgraph, r.Tiling.OnChipLimit, found)
		if err != nil {
			return nil, named(m.Name, invalidError{err})
		}
		page.Warnings = r.Warnings
		return p.page([]any{page}, m.Name)
	case format == casesFormat:
		return tilejson.Case{Name: m.Name, Tensors: found.Tensors}.Write(found.LastStep, opsOf(found.Runs)), nil
	}
	return results.TilesCSV([]*results.Plan{r}), nil
}

// opsOf returns runs as the operators of a case.
func opsOf(runs []tiling.Run) []tilejson.Op {
	list := []tilejson.Op{}
	for _, r := range runs {
		list = append(list, tilejson.Op{Operators: [2]int{r.First, r.Last}, Steps: [2]int{r.FirstStep, r.LastStep}, Tile: string(r.Tile), Extent: r.Extent})
	}
	return list
}

// nextOfTiling returns the command line that shows the bytes in use, or "" if it was this one.
func nextOfTiling(c *cli.Context) string {
	if len(outputTexts(c)) > 0 || c.Args().First() == stdinPath {
		return ""
	}
	same := asked(c, "subgraph", semanticsFlag, "align", "strategy", tileFlag, cascadeFlag)
	return shell.Command("plan", c.Args().First(), append(append([]string{dashed(tilesFlagName), dashed(onChipFlag), c.String(onChipFlag)}, same...), "-o", "live.svg", "-o", "tiles=cases.json")...)
}
