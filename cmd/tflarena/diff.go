package main

import (
	"bytes"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

var diffFormats = withPictures("json")

const diffDescription = `Shows what changed from model A to model B: first arena, head, tail and lower bound (with embedded plans), the operator at the peak and the size of the file; then the causes: operators moved, added, removed or changed, resized tensors, another memory plan. Tiled operators are named by their originals; their tiles are not listed.

Two tensors are the same if they have the same index and name. Two operators are the same if they make the same tensors, so diff can tell that operators only have another order. Tensors without a name are the same if they have the same index and are made and used in the same way.

-o svg=PATH, png= and pdf= draw both models one above the other, on one scale of bytes; each is as wide as the picture.

With --exit-code, the exit code is 4 when the files differ in any way, even if the difference does not concern memory. --quiet does the same and prints nothing.

Examples:
  tflarena diff before.tflite after.tflite
  tflarena diff --runtime litert --json before.tflite after.tflite
  tflarena rewrite model.tflite -o - | tflarena diff model.tflite -
  tflarena diff before.tflite after.tflite -o svg=pair.svg
  tflarena diff --quiet golden.tflite built.tflite && echo nothing changed`

func (p *program) diffCommand() *cli.Command {
	return &cli.Command{
		Name: "diff", ArgsUsage: "A B",
		Usage:       "show what changed between the memory of two models",
		UsageText:   "tflarena diff [flags] A B",
		Description: diffDescription,
		Flags: append(append(runtimeFlags(), scratchFlags()...), reworded("quiet", "print nothing: the exit code is the answer",
			outputFlags(diffFormats, topFlag(5), allFlag(),
				&cli.BoolFlag{Name: "exit-code", Category: groupOutput, Usage: "end with exit code 4 where the files differ"}))...),
		Action: p.diff,
	}
}

// diffFlags are the options of "diff".
type diffFlags struct {
	runtimeChoice
	files []string
	// exitCode reports that the exit code says whether the files differ.
	exitCode bool
}

func (p *program) diffFlags(c *cli.Context) (f *diffFlags, in *invocation, err error) {
	if c.NArg() != 2 {
		return nil, nil, usagef("diff takes two models, not %d: name files, - for standard input, or %sNAME", c.NArg(), builtinPrefix)
	}
	f = &diffFlags{files: c.Args().Slice(), exitCode: c.Bool("exit-code") || c.Bool("quiet")}
	if f.runtimeChoice, err = p.ownRuntimeOf(c); err != nil {
		return nil, nil, err
	}
	if f.files[0] == stdinPath && f.files[1] == stdinPath {
		return nil, nil, usagef("standard input can be read once: name - only once")
	}
	in, err = p.invocation(c, p.outputs(diffFormats))
	return f, in, err
}

func (p *program) diff(c *cli.Context) error {
	f, in, err := p.diffFlags(c)
	if err != nil {
		return err
	}
	models, err := each(p, f.files, p.loadModel)
	if err != nil {
		return err
	}
	if len(models.done) < 2 {
		// The other model alone has no result.
		elements := slices.DeleteFunc(models.elements, func(x any) bool { _, ok := x.(*results.Failed); return !ok })
		return p.emit(jsonOutputs(in.specs), func(string) ([]byte, error) { return p.document(in.command, elements) }, func() string { return "" })
	}
	code := exitOK
	if f.exitCode && !bytes.Equal(models.done[0].Data, models.done[1].Data) {
		code = exitCheck
	}
	if p.quiet && len(in.specs) == 0 {
		p.code = code
		return p.unchanged()
	}
	a, b, err := p.diffSides(f, models.done[0], models.done[1])
	if err != nil {
		return p.failed(in.specs, in.command, inputOf(err), err)
	}
	p.code = max(p.code, code)
	d := results.NewDiff(f.rules, a, b)
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, d.Picture())
		}
		return p.document(in.command, []any{d})
	}, func() string {
		if p.quiet {
			return ""
		}
		return d.Text(in.style)
	})
}

// diffSides returns the figures of both models. For equal files they are computed once, since two
// time-limited searches may differ.
func (p *program) diffSides(f *diffFlags, a, b *tflite.Model) (x, y *results.DiffSide, err error) {
	if x, err = p.diffSide(f, a); err != nil {
		return nil, nil, err
	}
	if bytes.Equal(a.Data, b.Data) {
		twin := *x
		twin.Input = b.Name
		return x, &twin, nil
	}
	y, err = p.diffSide(f, b)
	return x, y, err
}

// diffSide returns the figures of a model, as in analyze.
func (p *program) diffSide(f *diffFlags, m *tflite.Model) (*results.DiffSide, error) {
	s, err := f.unmodified(p.ctx, m)
	if err != nil {
		return nil, err
	}
	side, err := s.DiffSide(p.ctx, p.solver(m.Name))
	if err != nil {
		return nil, err
	}
	f.addRemedies(s.Marker(), side.Notes, side.Warnings)
	p.warn(m.Name, side.Warnings)
	p.noteTime(m.Name, side.Interrupted)
	return side, nil
}
