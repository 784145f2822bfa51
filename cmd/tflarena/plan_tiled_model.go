package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/output"
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

// tilingFlags are for models that are computed tile by tile.
func tilingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: tilesFlagName, Category: groupPlan, Usage: "plan a model off chip: see 'tflarena help tiles'"},
		&cli.StringFlag{Name: onChipFlag, Category: groupPlan, Usage: "with --tiles: a step has `SIZE` on chip"},
		&cli.StringFlag{Name: tileFlag, Value: string(tiling.Rows), Category: groupPlan, Usage: tileDescription},
		&cli.IntFlag{Name: cascadeFlag, Value: defaultCascade, Category: groupPlan, Usage: "join at most `N` operators, 1 for none"},
	}
}

// tilingOptions reads the flags of a tiled model, and rejects flags of other plans.
func tilingOptions(c *cli.Context) (o tiling.Options, err error) {
	for _, flag := range []string{"runtime", shareFlag, "solution", "alias", "scratch", "waves"} {
		if c.IsSet(flag) {
			return o, usagef("--%s is for whole tensors in a runtime's arena, and --%s plans memory off chip: leave one of them out", flag, tilesFlagName)
		}
	}
	if alloc.Approach(c.String("approach")) != alloc.Offsets {
		return o, usagef("--approach %s: tensors in tiles need offsets: leave --approach out", c.String("approach"))
	}
	if !c.IsSet(onChipFlag) {
		return o, usagef("--%s needs --%s SIZE, the memory that one step has on chip, such as 256K", tilesFlagName, onChipFlag)
	}
	if o.OnChip, err = sizeOf(c, onChipFlag, 1); err != nil {
		return o, err
	}
	if o.Semantics, err = semantics(c); err != nil {
		return o, err
	}
	if o.Align = 1; c.IsSet("align") {
		if o.Align, err = sizeOf(c, "align", 1); err != nil {
			return o, err
		}
	}
	if o.Cascade = c.Int(cascadeFlag); o.Cascade < 1 || o.Cascade > cascadesAtMost {
		return o, usagef("--%s %d: use a number from 2 to %d, or 1 for no cascades", cascadeFlag, o.Cascade, cascadesAtMost)
	}
	o.Cut, o.Most, err = cutOf(c.String(tileFlag))
	if o.Cut == tiling.Own && c.IsSet(cascadeFlag) {
		return o, usagef("--%s: %s says which cascades there are: leave the flag out", cascadeFlag, c.String(tileFlag))
	}
	return o, err
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

func (p *program) readGiven(c *cli.Context, o *tiling.Options) error {
	if o.Cut != tiling.Own {
		return nil
	}
	path := c.String(tileFlag)
	data, err := readFile(p.ctx, path, acceptText)
	if err != nil {
		return err
	}
	if o.Given, err = tilejson.ParseGiven(data); err != nil {
		return named(path, invalidError{err})
	}
	o.Cut = tiling.Rows
	return nil
}

// chipError is an on-chip memory that is too small for one tile.
type chipError struct{ error }

func (e chipError) Unwrap() error { return e.error }

// tilingError adds the input and the remedy to an error about tiles.
func (p *program) tilingError(c *cli.Context, title string, given bool, err error) error {
	var small *tiling.SizeError
	var bad *tiling.Error
	switch {
	case errors.As(err, &small):
		return named(title, chipError{fmt.Errorf("--%s %s: %w", onChipFlag, c.String(onChipFlag), small)})
	case errors.As(err, &bad) && given:
		return named(title, invalidError{fmt.Errorf("with --%s %s: %w", tileFlag, c.String(tileFlag), err)})
	case errors.As(err, &bad):
		return named(title, invalidError{err})
	}
	return named(title, p.solveError(nil, err))
}
