package main

import (
	"bytes"
	"context"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

var diffFormats = []string{"json"}

const diffDescription = `Says what changed from model A to model B: the arena that the runtime makes of each,
around the memory plan that a model carries, head, tail and lower bound, the
operators at the peak, the sizes of the files; then what it comes from: operators
in another order, added, removed or changed, tensors resized, the memory plan.

Tensors are the same by their index and name, operators by the tensors that they
make, so that another order of operators is seen as such. What has no name is the
same when it stands at the same index, is made alike and is used alike.

With --exit-code the exit code is 4 when the files differ in anything at all, even
where that has no bearing on memory.

Examples:
  tflarena diff before.tflite after.tflite
  tflarena diff --runtime litert --json before.tflite after.tflite
  tflarena rewrite model.tflite -o - | tflarena diff model.tflite -
  tflarena diff --exit-code --quiet golden.tflite built.tflite`

func (p *program) diffCommand() *cli.Command {
	return &cli.Command{
		Name: "diff", ArgsUsage: "A B",
		Usage:       "what changed between two models' memory",
		UsageText:   "tflarena diff [flags] A B",
		Description: diffDescription,
		Flags: append(append(runtimeFlags(), scratchFlags(scratchReference)...), outputFlags(diffFormats, topFlag(5), allFlag(),
			&cli.BoolFlag{Name: "exit-code", Category: groupOutput, Usage: "end with exit code 4 when the files differ"})...),
		Action: p.diff,
	}
}

func (p *program) diff(c *cli.Context) error {
	if c.NArg() != 2 {
		return usagef("diff: it takes two models, not %d: files, - for standard input, or %sNAME", c.NArg(), builtinPrefix)
	}
	r, err := ruleSet(c)
	if err == nil {
		err = scratchForMicro(c, r)
	}
	if err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	files := c.Args().Slice()
	if files[0] == stdinPath && files[1] == stdinPath {
		return usagef("standard input can be read once: name - only once")
	}
	specs, err := p.outputs(c, diffFormats, inputs(c))
	if err != nil {
		return err
	}
	models, err := each(p, c, files, func(file string) (*tflite.Model, error) { return p.loadModel(c.Context, file) })
	if err != nil {
		return err
	}
	if len(models.done) < len(files) {
		return p.diffFailed(c, specs, models.elements)
	}
	a, b, err := p.diffSides(c, r, models.done[0], models.done[1])
	if err != nil {
		return p.failed(specs, c.Command.Name, inputOf(err), err)
	}
	d := results.NewDiff(r, a, b)
	if c.Bool("exit-code") && !d.Identical {
		p.code = max(p.code, exitCheck)
	}
	return p.emit(specs, func(string) ([]byte, error) { return p.document(c.Command.Name, []any{d}) }, func() string { return d.Text(style) })
}

// diffFailed writes the JSON of models that could not be read. There is nothing to be said of
// the other model by itself.
func (p *program) diffFailed(c *cli.Context, specs []output.Spec, elements []any) error {
	elements = slices.DeleteFunc(elements, func(x any) bool { _, ok := x.(*results.Failed); return !ok })
	return p.emit(jsonOutputs(specs), func(string) ([]byte, error) {
		return p.document(c.Command.Name, elements)
	}, func() string { return "" })
}

// diffSides returns the figures of both models. Those of equal files are made once: a
// search that runs out of time need not find the same twice.
func (p *program) diffSides(c *cli.Context, r rules.Rules, a, b *tflite.Model) (x, y *results.DiffSide, err error) {
	if x, err = p.diffSide(c, r, a); err != nil {
		return nil, nil, err
	}
	if bytes.Equal(a.Data, b.Data) {
		twin := *x
		twin.Input = b.Name
		return x, &twin, nil
	}
	y, err = p.diffSide(c, r, b)
	return x, y, err
}

// diffSide returns the figures of a model, as analyze has them.
func (p *program) diffSide(c *cli.Context, r rules.Rules, m *tflite.Model) (*results.DiffSide, error) {
	s, err := asItIs(c, m, r)
	if err != nil {
		return nil, err
	}
	ctx := c.Context
	if r.Planner != "" {
		// The runtime's planner is quick, and its figure is never left out.
		ctx = context.WithoutCancel(ctx)
	}
	plan, err := p.solve(ctx, c, m.Name, s.records, alloc.Options{Approach: alloc.Offsets, Strategy: r.Planner})
	if err != nil {
		return nil, err
	}
	side := results.NewDiffSide(s.view, s.records, plan)
	side.Warnings = warnings(s.view)
	if s.carried != nil {
		side.Follow(s.arena)
		side.Notes = s.notes
		if o := s.carried.Outcome; s.carried.Followed() {
			side.Carries(o.Pinned, o.Planned, plan.Total)
			if o.Shared {
				side.Notes = append(side.Notes, results.Note{
					Kind: results.NoteShared, Text: "tensors share memory in the embedded plan; the lower bound does not allow for that",
				})
			}
		}
		side.Warnings = append(side.Warnings, planWarnings(s.carried, m)...)
	}
	p.warn(c, m.Name, side.Warnings)
	p.noteTime(c, m.Name, plan)
	return side, nil
}
