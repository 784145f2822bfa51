package main

import (
	"bytes"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

var diffFormats = withPictures("json")

const diffDescription = `Says what changed from model A to model B. It begins with the memory: arena, head, tail and lower bound of each (with the memory plan that the model carries), the operator at the peak, and the size of the file. Then it says where the change comes from: operators that were moved, added, removed or changed, tensors of another size, another memory plan.

Two tensors are the same if they have the same index and name. Two operators are the same if they make the same tensors, so diff can tell that operators only have another order. Tensors without a name are the same if they have the same index and are made and used in the same way.

-o svg=PATH, png= and pdf= draw both models on one scale, one above the other.

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
		Usage:       "what changed between two models' memory",
		UsageText:   "tflarena diff [flags] A B",
		Description: diffDescription,
		Flags: append(append(runtimeFlags(), scratchFlags(scratchReference)...), reworded("quiet", "print nothing: the exit code is the answer",
			outputFlags(diffFormats, topFlag(5), allFlag(),
				&cli.BoolFlag{Name: "exit-code", Category: groupOutput, Usage: "end with exit code 4 where the files differ"}))...),
		Action: p.diff,
	}
}

func (p *program) diff(c *cli.Context) error {
	if c.NArg() != 2 {
		return usagef("diff takes two models, not %d: name files, - for standard input, or %sNAME", c.NArg(), builtinPrefix)
	}
	r, err := ruleSet(c)
	if err == nil {
		err = scratchForMicro(c, r)
	}
	if err != nil {
		return err
	}
	files := c.Args().Slice()
	if files[0] == stdinPath && files[1] == stdinPath {
		return usagef("standard input can be read once: name - only once")
	}
	in, err := p.invocation(c, p.outputs(diffFormats, inputs(c)))
	if err != nil {
		return err
	}
	models, err := each(p, c, files, func(file string) (*tflite.Model, error) { return p.loadModel(c.Context, file) })
	if err != nil {
		return err
	}
	if len(models.done) < len(files) {
		return p.diffFailed(c, in.specs, models.elements)
	}
	code := exitOK
	if asked := c.Bool("exit-code") || c.Bool("quiet"); asked && !bytes.Equal(models.done[0].Data, models.done[1].Data) {
		code = exitCheck
	}
	if c.Bool("quiet") && len(in.specs) == 0 {
		p.code = code
		return p.unchanged()
	}
	a, b, err := p.diffSides(c, r, models.done[0], models.done[1])
	if err != nil {
		return p.failed(in.specs, c.Command.Name, inputOf(err), err)
	}
	p.code = max(p.code, code)
	d := results.NewDiff(r, a, b)
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, d.Picture())
		}
		return p.document(c.Command.Name, []any{d})
	}, func() string {
		if c.Bool("quiet") {
			return ""
		}
		return d.Text(in.style)
	})
}

// diffFailed writes the JSON of unreadable models. The other model alone has no result.
func (p *program) diffFailed(c *cli.Context, specs []output.Spec, elements []any) error {
	elements = slices.DeleteFunc(elements, func(x any) bool { _, ok := x.(*results.Failed); return !ok })
	return p.emit(jsonOutputs(specs), func(string) ([]byte, error) {
		return p.document(c.Command.Name, elements)
	}, func() string { return "" })
}
