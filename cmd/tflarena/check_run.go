package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
)

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
		r, err := p.checkOne(c, model, flags.Over(file.For(model)), len(files) > 1)
		if code := exitCode(err); lists && (code == exitInvalid || code == exitFailure) {
			p.complain(err)
			return unchecked(c, model, err), nil
		}
		return r, err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	if err := results.SortChecks(list, c.String("sort")); err != nil {
		return &usageError{err.Error()}
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
