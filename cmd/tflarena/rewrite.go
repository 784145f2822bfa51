package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// modelFormat is the format of a model among outputs.
const modelFormat = "tflite"

var rewriteFormats = []string{modelFormat, "json"}

const rewriteDescription = `Writes a memory plan into a model (metadata OfflineMemoryAllocation), so that an
unmodified TensorFlow Lite Micro runs it in less memory. Nothing else changes:
all other bytes stay as they are, moved back where room was needed in front.

The runtime's own planner is copied and run around the plan, so that no plan is
written with which the head would be larger than without. Where nothing is to be
gained the output is a copy of the input, and standard error says so. The result
is parsed again, verified and simulated before it is put in its place.

  --pin peak  fixes only what is needed to reach the best head and leaves the
              rest to the runtime, which also places kernel scratch
  --pin all   fixes every tensor that can be fixed

Kernel scratch is placed by the runtime, and its size depends on the kernel
library. It is counted as the reference kernels ask for it; for other kernels name
a CSV file with the columns subgraph,operator,bytes and a row for each request,
or say none where they ask for nothing. With scratch that is wrong the model runs
all the same, but the head may be another than the one that is printed.

--reorder also puts the operators in another order where that makes the smallest arena
smaller: the one of the least peak, proven where that can be done in time. Operators with
side effects keep theirs among themselves. TensorFlow Lite Micro and LiteRT run operators
as they stand in the file, and neither needs more memory than before. LiteRT has kernels
overwrite their inputs, and computes something else in some orders: none of these is taken,
and a file in such an order is put into another where that costs no memory. --ignore-litert
is for TensorFlow Lite Micro alone: it takes orders in which LiteRT needs more memory or,
with a warning, computes something else. With --remove the order alone changes.

` + aliasDescription + `
They only do where that makes the head smaller.

A plan of another tool is kept: it may hold agreements with custom operators
that nobody else knows. --force replaces it, takes it out (--remove) where the
head grows by that, and goes ahead where a file has bytes behind the model that
may not be moved.

Examples:
  tflarena rewrite model.tflite -o smaller.tflite
  tflarena rewrite model.tflite --in-place --scratch sizes.csv
  tflarena rewrite planned.tflite --remove -o plain.tflite
  cat model.tflite | tflarena rewrite - -o - > smaller.tflite`

func (p *program) rewriteCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "pin", Value: string(pin.Peak), Category: groupPlan, Usage: "fix `HOW MUCH` of the plan: peak or all"},
		&cli.StringFlag{Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan, Usage: "plan with `NAME`: see 'tflarena plan --help'"},
		limitFlag(oneSecond),
		aliasFlag(),
	}, scratchFlags(scratchReference)...)
	flags = append(flags,
		&cli.BoolFlag{Name: "reorder", Category: groupPlan, Usage: "put the operators in the order of the smallest arena"},
		&cli.BoolFlag{Name: "ignore-litert", Category: groupPlan, Usage: "let --reorder take an order in which LiteRT needs more memory or computes something else"},
		&cli.BoolFlag{Name: "toposort", Category: groupPlan, Usage: "mend an order in which an operator reads what a later one makes"},
		&cli.BoolFlag{Name: "remove", Category: groupPlan, Usage: "take the plan out of the model"},
		&cli.BoolFlag{Name: "force", Category: groupPlan, Usage: "replace or lose the plan of another tool; move bytes that may hold positions"},
		&cli.BoolFlag{Name: "in-place", Category: groupOutput, Usage: "replace the input in one step; 'help files' says what becomes of links and permissions"},
		&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON; the same as -o json=-"},
		&cli.StringSliceFlag{
			Name: "output", Aliases: []string{"o"}, Category: groupOutput,
			Usage: "write the model to `PATH`, - for standard output; json=PATH writes the report; repeatable, all or none",
		},
		&cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers instead of 36,864 B (36.00 KiB)"},
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "`WHEN` to colour: auto, always or never"},
		quietFlag(),
	)
	return &cli.Command{
		Name: "rewrite", ArgsUsage: "MODEL",
		Usage:       "write a memory plan into a model, or take it out",
		UsageText:   "tflarena rewrite [flags] MODEL -o OUT",
		Description: rewriteDescription,
		Flags:       flags,
		Action:      p.rewrite,
	}
}

func (p *program) rewrite(c *cli.Context) error {
	if err := rewriteUsage(c); err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	specs, err := p.rewriteOutputs(c)
	if err != nil {
		return err
	}
	ctx, cancel, err := limited(c)
	if err != nil {
		return err
	}
	defer cancel()
	w, err := p.rewriting(c)
	if err != nil {
		return err
	}
	w.ctx = ctx
	if err := w.run(); err != nil {
		return err
	}
	// Nothing is written on half the work, since the plan would depend on when.
	if c.Context.Err() != nil {
		return named(w.model.Name, interruptedError{})
	}
	if specs, err = p.rewriteTargets(c, specs, w); err != nil {
		return err
	}
	p.warn(c, w.model.Name, w.report.Warnings)
	err = p.emit(specs, func(format string) ([]byte, error) {
		if format == modelFormat {
			return w.data, nil
		}
		return results.JSON(w.report)
	}, func() string { return w.report.Text(style) })
	if err == nil {
		p.aside(c, specs, w.report.Text(style))
	}
	return err
}

// rewriteUsage refuses flags that contradict each other.
func rewriteUsage(c *cli.Context) error {
	if _, err := target(c); err != nil {
		return err
	}
	alias, err := aliasOf(c)
	if err != nil {
		return err
	}
	mode := pin.Mode(c.String("pin"))
	switch n := c.NArg(); {
	case n == 0:
		return usagef("rewrite: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return usagef("rewrite: %d models given, but rewrite takes one", n)
	case mode != pin.Peak && mode != pin.All:
		return usagef("--pin %q: use %s or %s", mode, pin.Peak, pin.All)
	case c.Bool("ignore-litert") && !c.Bool("reorder"):
		return usagef("--ignore-litert says which orders --reorder may take: use both")
	case c.Bool("remove") && (c.IsSet("pin") || c.IsSet("strategy") || alias != rules.NoAlias):
		return usagef("--remove makes no plan: leave --pin, --strategy and --alias out")
	}
	_, err = alloc.Lookup(alloc.Offsets, c.String("strategy"))
	if err != nil {
		return usagef("rewrite: %v", err)
	}
	return nil
}

// rewriteOutputs reads where the model and the report go.
func (p *program) rewriteOutputs(c *cli.Context) ([]output.Spec, error) {
	texts := c.StringSlice("output")
	if c.Bool("json") {
		texts = append(texts, "json="+output.Stdout)
	}
	specs, err := output.ParseModel(texts, rewriteFormats, inputs(c))
	if err != nil {
		return nil, err
	}
	models := 0
	for _, s := range specs {
		if s.Format == modelFormat {
			models++
		}
	}
	switch {
	case c.Bool("in-place") && models > 0:
		return nil, usagef("--in-place replaces the input: leave -o out, or use -o without --in-place")
	case c.Bool("in-place"):
		if err := replaceable(c.Args().First()); err != nil {
			return nil, err
		}
	case models == 0:
		return nil, usagef("rewrite: say where to with -o OUT, or replace the input with --in-place")
	}
	return specs, p.apart(c, specs)
}

// replaceable refuses to replace what is no file.
func replaceable(path string) error {
	if path == stdinPath {
		return usagef("--in-place: standard input cannot be replaced; use -o")
	}
	info, err := os.Stat(path)
	switch {
	case path == "":
		return errNoName
	case err != nil && isBuiltin(path):
		return usagef("--in-place: a built-in network cannot be replaced; use -o")
	case err != nil:
		return plainError(err)
	case info.IsDir():
		return named(path, errors.New("is a directory; name a file"))
	case !info.Mode().IsRegular(), output.IsStream(path):
		return named(path, errors.New("is no regular file, and cannot be replaced; use -o"))
	}
	return nil
}

// rewriteTargets completes the outputs, says which files are replaced behind links,
// and where the outcome is no new model.
func (p *program) rewriteTargets(c *cli.Context, specs []output.Spec, w *rewriting) ([]output.Spec, error) {
	place := ""
	if c.Bool("in-place") {
		place = c.Args().First()
		if w.changed() {
			specs = append([]output.Spec{{Format: modelFormat, Path: place}}, specs...)
		}
	}
	for _, s := range specs {
		if s.Format != modelFormat || s.Path == output.Stdout {
			continue
		}
		place = s.Path
		if output.IsStream(s.Path) {
			continue
		}
		if n := output.OtherNames(s.Path); n > 0 {
			p.say(c, s.Path, "note", fmt.Sprintf("other names of the file (hard links: %d) keep the old contents", n))
		}
		if !isLink(s.Path) {
			continue
		}
		behind, err := output.Target(s.Path)
		if err != nil {
			return nil, plainError(err)
		}
		p.say(c, s.Path, "note", fmt.Sprintf("is a symbolic link; the file it leads to, %s, is replaced", behind))
	}
	w.report.Output = place
	if w.report.Interrupted {
		p.say(c, w.model.Name, "note", fmt.Sprintf("--time-limit %s reached; this is the best plan so far", c.Duration("time-limit")))
	}
	switch {
	case w.changed() || w.report.Reason == "":
	case c.Bool("in-place"):
		p.say(c, w.model.Name, "note", w.report.Reason+"; the file stays as it is")
	default:
		p.say(c, w.model.Name, "note", w.report.Reason+"; the output is a copy of the input")
	}
	return specs, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}
