package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
)

func (p *program) check(c *cli.Context) error {
	file, flags, err := p.budgets(c)
	if err != nil {
		return err
	}
	args := c.Args().Slice()
	if len(args) == 0 {
		args = file.Names()
	}
	if len(args) == 0 && c.IsSet("budget") {
		return usagef("check: no model given, and %s names none that exists: name a .tflite file or a folder", c.String("budget"))
	}
	if len(args) == 0 {
		return usagef("check: no model given: name a .tflite file, - for standard input, or a --budget file that names models")
	}
	files, err := expand(args, ".tflite")
	if err != nil {
		return err
	}
	in, err := p.invocation(c, func(c *cli.Context) ([]output.Spec, error) { return p.checkOutputs(c, files) })
	if err != nil {
		return err
	}
	for _, unused := range file.Unused(files) {
		what := fmt.Sprintf("model %q is not among the models that are checked", unused)
		if budget.IsPattern(unused) {
			what = fmt.Sprintf("pattern %q matches none of the models that are checked", unused)
		}
		p.say(c, c.String("budget"), "warning", what)
	}
	found, err := each(p, c, files, func(model string) (*results.Check, error) {
		r, err := p.checkOne(c, model, flags.Over(file.For(model)), len(files) > 1)
		if code := exitCode(err); code == exitInvalid || code == exitFailure {
			p.complain(err)
			return unchecked(model, err), nil
		}
		return r, err
	})
	if err != nil {
		return err
	}
	list := found.done
	results.SortChecks(list, c.String("sort"))
	if slices.ContainsFunc(list, func(r *results.Check) bool { return !r.Pass && r.Failed == nil }) {
		p.code = max(p.code, exitCheck)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		switch format {
		case "markdown":
			return []byte(results.ChecksMarkdown(list, in.style.AsMarkdown())), nil
		case "github":
			return []byte(results.ChecksGitHub(list, in.style)), nil
		}
		return p.document(c.Command.Name, checkElements(found.elements))
	}, func() string { return results.ChecksText(list, in.style) })
}

// checkElements replaces failed results by their errors, for JSON.
func checkElements(list []any) []any {
	for i, x := range list {
		if r, ok := x.(*results.Check); ok && r.Failed != nil {
			list[i] = r.Failed
		}
	}
	return list
}

// checkOutputs reads -o, --json and --format, which is -o FORMAT=-.
func (p *program) checkOutputs(c *cli.Context, files []string) ([]output.Spec, error) {
	format := c.String("format")
	read := append(files[:len(files):len(files)], inputs(c)...)
	for _, flag := range []string{"budget", "base"} {
		if path := c.String(flag); path != "" {
			read = append(read, path)
		}
	}
	specs, err := p.outputs(checkFormats, read)(c)
	switch {
	case err != nil:
		return nil, err
	case format == textFormat:
		return specs, nil
	}
	if err := chosen("--format", format, append([]string{textFormat}, checkFormats...)); err != nil {
		return nil, err
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
