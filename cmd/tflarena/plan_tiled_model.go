package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/tflite"
)

const (
	tilesFlagName   = "tiles"
	onChipFlag      = "on-chip"
	tileFlag        = "tile"
	cascadeFlag     = "cascade"
	casesFormat     = "tiles"
	defaultCascade  = 8
	cascadesAtMost  = 64
	tileDescription = "cut into `TILE`s: rows (default), pixels, rows=N, FILE"
)

// tileFlags are for models that are computed tile by tile.
func tileFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: tilesFlagName, Category: groupPlan, Usage: "plan a model off chip: see 'tflarena help tiles'"},
		&cli.StringFlag{Name: onChipFlag, Category: groupPlan, Usage: "with --tiles: on-chip memory of `SIZE` for a step"},
		&cli.StringFlag{Name: tileFlag, Value: string(tiling.Rows), Category: groupPlan, Usage: tileDescription},
		&cli.IntFlag{Name: cascadeFlag, Value: defaultCascade, Category: groupPlan, Hidden: true, Usage: "join at most `N` operators, 1 for none"},
	}
}

// tilingFlags are the options of a model that is computed tile by tile.
type tilingFlags struct {
	tiling.Options
	// onChip and tile are the values of --on-chip and --tile.
	onChip, tile string
	// subgraph is that of --subgraph, and chosen reports that there is one.
	subgraph int
	chosen   bool
	// next is the command line that shows the bytes in use, or "" if it was this one.
	next string
}

// tilingOf reads the options of a tiled model, and rejects flags of other plans.
func (p *program) tilingOf(c *cli.Context, f *planFlags) (t *tilingFlags, err error) {
	t = &tilingFlags{onChip: c.String(onChipFlag), tile: c.String(tileFlag), subgraph: c.Int("subgraph"), chosen: c.IsSet("subgraph")}
	if _, err := p.targetOf(c, c.Args().First()); err != nil {
		return nil, err
	}
	for _, flag := range []string{"runtime", shareFlag, "solution", cacheFlagName, "alias", "scratch", "waves"} {
		if c.IsSet(flag) {
			return nil, usagef("--%s is for whole tensors in a runtime's arena, and --%s plans memory off chip: leave one of them out", flag, tilesFlagName)
		}
	}
	if f.Approach != alloc.Offsets {
		return nil, usagef("--approach %s: tensors in tiles need offsets: leave --approach out", f.Approach)
	}
	if !c.IsSet(onChipFlag) {
		return nil, usagef("--%s needs --%s SIZE, the memory that one step has on chip, such as 256K", tilesFlagName, onChipFlag)
	}
	if err := f.checkSemantics(); err != nil {
		return nil, err
	}
	if t.OnChip, err = sizeOf(c, onChipFlag, 1); err != nil {
		return nil, err
	}
	t.Semantics, t.Align = f.semantics, max(f.align, 1)
	if t.Cascade = c.Int(cascadeFlag); t.Cascade < 1 || t.Cascade > cascadesAtMost {
		return nil, usagef("--%s %d: use a number from 2 to %d, or 1 for no cascades", cascadeFlag, t.Cascade, cascadesAtMost)
	}
	t.Cut, t.Most, err = cutOf(t.tile)
	if t.Cut == tiling.Own && c.IsSet(cascadeFlag) {
		return nil, usagef("--%s: %s says which cascades there are: leave the flag out", cascadeFlag, t.tile)
	}
	if file := c.Args().First(); len(outputTexts(c)) == 0 {
		same := asked(c, "subgraph", semanticsFlag, "align", "strategy", tileFlag, cascadeFlag)
		t.next = shell.Command("plan", file, concat([]string{dashed(tilesFlagName), dashed(onChipFlag), t.onChip}, same, []string{"-o", "live.svg", "-o", "tiles=cases.json"})...)
	}
	return t, err
}

// cutOf reads --tile. [tiling.Own] stands for a file.
func cutOf(text string) (cut tiling.Cut, most int64, err error) {
	word, number, limited := strings.Cut(text, "=")
	if cut = tiling.Cut(word); cut != tiling.Rows && cut != tiling.Pixels {
		if text == "" {
			return "", 0, errNoName
		}
		return tiling.Own, 0, nil
	}
	if limited {
		if most, err = strconv.ParseInt(number, 10, 64); err != nil || most < 1 {
			return "", 0, usagef("--%s %s: %q is not a number of %s: use a whole number from 1", tileFlag, text, number, cut)
		}
	}
	return cut, most, nil
}

// checkTiling rejects flags and formats that require --tiles.
func checkTiling(c *cli.Context, specs []output.Spec) error {
	if c.Bool(tilesFlagName) {
		return nil
	}
	for _, flag := range []string{onChipFlag, tileFlag, cascadeFlag} {
		if c.IsSet(flag) {
			return usagef("--%s is for a model that is computed tile by tile: use it with --%s", flag, tilesFlagName)
		}
	}
	for _, s := range specs {
		if s.Format == casesFormat {
			return usagef("-o %s=%s is the problem of a model that is computed tile by tile: use it with --%s", s.Format, s.Path, tilesFlagName)
		}
	}
	return nil
}

// readGiven reads the file of --tile, if any.
func (t *tilingFlags) readGiven(ctx context.Context) error {
	if t.Cut != tiling.Own {
		return nil
	}
	data, err := readFile(ctx, t.tile, acceptText)
	if err != nil {
		return err
	}
	if t.Given, err = tilejson.ParseGiven(data); err != nil {
		return named(t.tile, invalidError{err})
	}
	t.Cut = tiling.Rows
	return nil
}

// chipError is an on-chip memory that is too small for one tile.
type chipError struct{ error }

func (e chipError) Unwrap() error { return e.error }

// tilingError adds the input and the remedy to an error about tiles.
func (p *program) tilingError(t *tilingFlags, title string, err error) error {
	var small *tiling.SizeError
	var bad *tiling.Error
	switch {
	case errors.As(err, &small):
		return named(title, chipError{fmt.Errorf("--%s %s: %w", onChipFlag, t.onChip, small)})
	case errors.As(err, &bad) && t.Given != nil:
		return named(title, invalidError{fmt.Errorf("with --%s %s: %w", tileFlag, t.tile, err)})
	case errors.As(err, &bad):
		return named(title, invalidError{err})
	}
	return named(title, p.solveError(nil, err))
}

// planTiling plans the off-chip memory of a model that is computed tile by tile.
func (p *program) planTiling(ctx context.Context, f *planFlags, in *invocation) error {
	t := f.tiles
	if err := tilingFormats(in.specs); err != nil {
		return err
	}
	if err := t.readGiven(p.ctx); err != nil {
		return in.failed(err)
	}
	m, err := in.loadModel()
	if err != nil {
		return err
	}
	if m, err = p.reshaped(m); err != nil {
		return in.failed(err)
	}
	subgraph := max(t.subgraph, 0)
	if t.chosen && (t.subgraph < 0 || subgraph >= len(m.Subgraphs)) {
		return usagef("--subgraph %d: %s has %d subgraphs, counted from 0", t.subgraph, m.Name, len(m.Subgraphs))
	}
	p.warn(m.Name, notes.Unusual(m))
	if p.limit.asked == 0 {
		var cancel context.CancelFunc
		ctx, cancel = byDefault(ctx, alloc.DefaultSearchTime)
		defer cancel()
	}
	o := f.Options
	stop := p.showProgress(&o)
	found, err := tiling.Solve(ctx, m, subgraph, t.Options, o)
	stop()
	if err != nil {
		return in.failed(p.tilingError(t, m.Name, err))
	}
	p.noteTime(m.Name, found.Plan.Interrupted)
	r := results.NewTiling(m.Name, m, subgraph, t.OnChip, found)
	r.Warnings, r.InputShapes, r.Tiling.Next = notes.Unusual(m), inputShapes(p.shapes), t.next
	p.judge(r, f.capacity, nil)
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
