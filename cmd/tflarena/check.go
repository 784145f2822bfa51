package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
)

const textFormat = "text"

var checkFormats = []string{"json", "markdown", "github"}

const checkDescription = `Says whether models fit their memory, for a build that is to fail when they do
not: exit code 4 when a budget is passed; and, whatever it takes, when the memory
plan that a model carries is broken, or when the reference kernels would not run the
model: an operator without a kernel, a type that a kernel refuses. That a custom
operator needs a kernel of the application's is a warning.

The arena is the head, which holds tensors and scratch, and the tail, which the
runtime keeps besides: what arena_used_bytes() returns. The head is what TensorFlow
Lite Micro makes of the model, around the memory plan if the model carries one.
While it allocates, the runtime may need more for a while. The smallest arena is the
least one in which allocation succeeds, and --max-arena is compared with it. All of
it is exact for the reference kernels of the ABI; for other kernels, the tail is an
estimate. Without a budget the figures are printed, and only the model itself can
fail. A SIZE is a number of bytes, or such as 128KiB.

A budget file has limits for all models and for single ones, by their paths
relative to the file. Flags count before the file, and single models before all:
  {"max_arena": "256KiB",
   "models": {"wake.tflite": {"max_arena": "64KiB", "max_head": 40960}}}
Without a MODEL, those that the budget file names are checked.

Examples:
  tflarena check model.tflite
  tflarena check model.tflite --max-arena 128KiB
  tflarena check --budget budgets.json --format github models/
  tflarena check model.tflite --max-head 54KiB --scratch none -o markdown=report.md`

func (p *program) checkCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "max-arena", Category: groupRules, Usage: "the most that the smallest arena may take, a `SIZE`"},
		&cli.StringFlag{Name: "max-head", Category: groupRules, Usage: "the most that tensors and scratch may take, a `SIZE`"},
		&cli.StringFlag{Name: "max-tensor", Category: groupRules, Usage: "the most that a single tensor may take, a `SIZE`"},
		&cli.StringFlag{Name: "budget", Category: groupRules, Usage: "read limits from `FILE`, as above"},
	}, scratchFlags(scratchReference)...)
	flags = append(flags, outputFlags(checkFormats,
		&cli.StringFlag{Name: "format", Value: textFormat, Category: groupOutput, Usage: "print `FORMAT`: text, json, markdown, or github (annotations of GitHub Actions)"})...)
	return &cli.Command{
		Name: "check", ArgsUsage: "MODEL...",
		Usage:       "fail when models need more memory than they may",
		UsageText:   "tflarena check [flags] MODEL...",
		Description: checkDescription,
		Flags:       flags,
		Action:      p.check,
	}
}

func (p *program) check(c *cli.Context) error {
	file, flags, err := p.budgets(c)
	if err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	if len(args) == 0 {
		args = file.Names()
	}
	if len(args) == 0 {
		return usagef("check: no model given: name a .tflite file, - for standard input, or a --budget file that names models")
	}
	files, err := expand(args, ".tflite")
	if err != nil {
		return err
	}
	specs, err := p.checkOutputs(c, files)
	if err != nil {
		return err
	}
	for _, unused := range file.Unused(files) {
		p.say(c, c.String("budget"), "warning", fmt.Sprintf("model %q is none of those checked", unused))
	}
	lists := len(files) > 1 || slices.ContainsFunc(specs, func(s output.Spec) bool { return s.Format != "json" })
	list, err := each(p, c, files, func(model string) (*results.Check, error) {
		r, err := p.checkOne(c, model, flags.Over(file.For(model)))
		if code := exitCode(err); lists && (code == exitInvalid || code == exitFailure) {
			p.complain(err)
			return unchecked(c, model, err), nil
		}
		return r, err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	if slices.ContainsFunc(list, func(r *results.Check) bool { return !r.Pass && r.Error == "" }) {
		p.code = max(p.code, exitCheck)
	}
	return p.emit(specs, func(format string) ([]byte, error) {
		return renderChecks(list, format, style, single(c, files))
	}, func() string { return results.ChecksText(list, style) })
}

func renderChecks(list []*results.Check, format string, style results.Style, alone bool) ([]byte, error) {
	switch {
	case format == "markdown":
		return []byte(results.ChecksMarkdown(list, style.AsMarkdown())), nil
	case format == "github":
		return []byte(results.ChecksGitHub(list, style)), nil
	case alone:
		return results.JSON(list[0])
	}
	pass := !slices.ContainsFunc(list, func(r *results.Check) bool { return !r.Pass })
	return results.JSON(results.Checks{SchemaVersion: results.SchemaVersion, Pass: pass, Checks: list})
}

// checkOutputs reads -o, --json and --format, which is -o FORMAT=-.
func (p *program) checkOutputs(c *cli.Context, files []string) ([]output.Spec, error) {
	format := c.String("format")
	read := append(files[:len(files):len(files)], inputs(c)...)
	if b := c.String("budget"); b != "" {
		read = append(read, b)
	}
	specs, err := p.outputs(c, checkFormats, read)
	switch {
	case err != nil:
		return nil, err
	case format == textFormat:
		return specs, nil
	case !slices.Contains(checkFormats, format):
		return nil, usagef("--format %q: use text, json, markdown or github", format)
	}
	for _, s := range specs {
		if s.Path == output.Stdout && s.Format == format {
			return specs, nil
		} else if s.Path == output.Stdout {
			return nil, usagef("--format %s and %s both go to standard output: leave one out", format, s.Format)
		}
	}
	return append(specs, output.Spec{Format: format, Path: output.Stdout}), nil
}

// budgets reads the limits of the budget file, which may be none, and of the flags.
func (p *program) budgets(c *cli.Context) (*budget.File, budget.Limits, error) {
	var flags budget.Limits
	for _, f := range []struct {
		name  string
		limit **budget.Size
	}{{"max-arena", &flags.Arena}, {"max-head", &flags.Head}, {"max-tensor", &flags.Tensor}} {
		if !c.IsSet(f.name) {
			continue
		}
		n, err := units.Parse(c.String(f.name))
		if err != nil {
			return nil, flags, usagef("--%s: %v", f.name, err)
		}
		size := budget.Size(n)
		*f.limit = &size
	}
	path := c.String("budget")
	if path == "" {
		return &budget.File{}, flags, nil
	}
	data, err := readFile(c.Context, path, acceptText)
	if err != nil {
		return nil, flags, err
	}
	file, err := budget.Parse(data, path)
	return file, flags, named(path, err)
}
