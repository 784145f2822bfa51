package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/page"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// htmlFormat is the format of the page among outputs.
const htmlFormat = "html"

var reportFormats = []string{htmlFormat, jsonFormat}

const reportDescription = `Writes a page that shows the memory of one or several models in a browser: a memory map, the live bytes over time with their bound, all operators and tensors, and the whole arena part by part. The page is one file. It needs no network and no server, and it makes no request: open it, or send it to somebody.

For each model, the page has the plan of the unmodified file, those of rewrite and rewrite --reorder, and one by each strategy. You can compare any two of them. With --arena or --head, the page also has the plan that fit makes within that budget.

A directory stands for the .tflite files below it. If there are several models, the page begins with an overview. It also names each model that cannot be read, and the exit code says that there was one. If no model can be read, no page is written.

Without -o, the page of MODEL.tflite is MODEL.html in the current folder, and that of several models report.html. It replaces an older page, but no other file.

-o json=PATH writes the data of the page.

Examples:
  tflarena report model.tflite
  tflarena report models/ -o report.html
  tflarena report model.tflite --arena 128K -o report.html
  tflarena report model.tflite --alias diagonal -o report.html`

func (p *program) reportCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "arena", Category: groupBudget, Usage: "also fit the model into an arena of `SIZE`"},
		&cli.StringFlag{Name: "head", Category: groupBudget, Usage: "also fit the model into a head of `SIZE`"},
	}, runtimeFlags()...)
	flags = append(flags, aliasFlag(), limitFlag("report"),
		&cli.StringFlag{
			Name: "scratch", Value: reference, Category: groupRules,
			Usage: "count kernel scratch: `WHICH` is reference (default), none",
		})
	flags = append(flags, deviceFlags()...)
	flags = append(flags, jsonFlag(), outputFlag("write the page to `PATH`; also json=PATH"), bytesFlag(), colorFlag(), quietFlag())
	return &cli.Command{
		Name: "report", ArgsUsage: "MODEL...",
		Usage:       "write a page that shows the memory of models in a browser",
		UsageText:   "tflarena report [flags] MODEL... [-o report.html]",
		Description: reportDescription,
		Flags:       flags,
		Action:      p.report,
	}
}

// reportFlags are the options of "report".
type reportFlags struct {
	runtimeChoice
	files []string
	alias rules.Alias
	// fit is the budget that models are fitted into, or nil, and fitGiven its flags.
	fit      *shrink.Goal
	fitGiven []string
	// unnamed is the page without -o, or "".
	unnamed string
	// same are the flags that give the same figures.
	same []string
}

func (p *program) reportFlags(c *cli.Context) (f *reportFlags, in *invocation, err error) {
	if !c.Args().Present() {
		return nil, nil, usagef("report: no model given: name a .tflite file, - for standard input, or %sNAME", builtinPrefix)
	}
	f = &reportFlags{fitGiven: asked(c, "arena", "head")}
	if f.runtimeChoice, err = p.ownRuntimeOf(c); err != nil {
		return nil, nil, err
	}
	if f.alias, err = aliasOf(c); err != nil {
		return nil, nil, err
	}
	f.same = concat(f.flags, f.scratchFlag, asked(c, "alias"))
	if !isScratchWord(f.scratch) {
		return nil, nil, usagef("--scratch %q: report makes new models, whose operators no file can know: use reference or none", f.scratch)
	}
	for _, flag := range []string{"arena", "head", "alias"} {
		if c.IsSet(flag) && !f.rules.IsMicro() {
			return nil, nil, usagef("%s is for TensorFlow Lite Micro: leave it out, or use --runtime %s", dashed(flag), rules.Micro().Name)
		}
	}
	if len(f.fitGiven) > 0 {
		goal, err := fitBudget(c)
		if err != nil {
			return nil, nil, err
		}
		goal.Device, goal.Alias, f.fit = f.device, f.alias, &goal
	}
	if f.files, err = expand(c.Args().Slice(), ".tflite"); err != nil {
		return nil, nil, err
	}
	if in, err = p.invocation(c, p.outputs(reportFormats, f.files...)); err == nil && len(in.specs) == 0 {
		f.unnamed = unnamedPage(f.files)
		if _, missing := os.Lstat(f.unnamed); missing == nil && !isOwnPage(f.unnamed) {
			return nil, nil, usagef("report: %s exists and is no page of %s: name the page with -o PATH", f.unnamed, name)
		}
		in.specs = []output.Spec{{Format: htmlFormat, Path: f.unnamed}}
	}
	return f, in, err
}

func (p *program) report(c *cli.Context) error {
	f, in, err := p.reportFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	found, err := each(p, f.files, func(file string) (*results.Report, error) { return p.reportOne(ctx, f, file) })
	if err != nil {
		return err
	}
	err = p.emit(found.outputs(in.specs), func(format string) ([]byte, error) {
		if format == jsonFormat {
			return p.document(in.command, found.elements)
		}
		return p.page(found.elements, reportTitle(found.done))
	}, func() string { return results.ReportsText(found.done, in.style) })
	if err == nil && f.unnamed != "" && len(found.done) > 0 && !p.quiet {
		p.tell("note: no output was named, so the page is " + f.unnamed)
	}
	return err
}

// unnamedPage returns the name of the page of models without -o: that of the only model, in the current
// folder.
func unnamedPage(files []string) string {
	page := "report"
	if len(files) == 1 && files[0] != stdinPath {
		page = cmp.Or(shell.Stem(files[0]), page)
	}
	return page + "." + htmlFormat
}

// isOwnPage reports whether a file is a page of ours, which may be replaced.
func isOwnPage(path string) bool {
	const head = 4 << 10 // with the elements before the title
	return bytes.Contains(beginningOf(path, head), []byte(`<meta name="generator" content="tflarena">`))
}

// beginningOf returns up to n bytes from the beginning of a regular file, and nil if path is not a readable one.
func beginningOf(path string, n int64) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, n))
	return data
}

// reportOne returns the report of one model.
func (p *program) reportOne(ctx context.Context, f *reportFlags, file string) (*results.Report, error) {
	m, err := p.loadModel(file)
	if err != nil {
		return nil, err
	}
	s, err := f.unmodified(p.ctx, m)
	if err != nil {
		return nil, err
	}
	made, err := app.Make(p.ctx, ctx, s, app.Ask{
		Alias: f.alias, Fit: f.fit, Commands: app.Commands{
			Rewrite: shell.Smaller("rewrite", file, f.same...),
			Reorder: shell.Smaller("rewrite", file, concat(f.same, []string{"--reorder"})...),
			Fit:     shell.Smaller("fit", file, concat(f.same, f.fitGiven)...),
			Repair:  shell.Repaired(file, f.same...),
		},
		Options: alloc.Options{SearchTime: p.limit.search()},
		Solve:   p.solver(m.Name),
		Fitted: func(ctx context.Context, goal shrink.Goal) (*shrink.Report, error) {
			line := p.fitLine(&goal, "fitting")
			defer line.Stop()
			found, err := app.Fit(ctx, m, app.FitOptions{Goal: goal})
			if err != nil {
				return nil, named(m.Name, hint(err))
			}
			return found.Report, nil
		},
	})
	if err != nil {
		return nil, unreported(m, err)
	}
	if made.Report.Verdict != "" && len(rules.Failing(s.View.Faults())) == 0 {
		made.Report.Fit = shell.Command("fit", file, f.same...)
	}
	p.warn(m.Name, results.WithoutFaults(made.Report.Warnings))
	return made.Report, nil
}

// unreported returns the reason for a missing report of a model.
func unreported(m *tflite.Model, err error) error {
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, faultError{fault.Err})
	}
	if inputOf(err) != "" {
		return err
	}
	if errors.Is(err, context.Canceled) {
		err = interruptedError{}
	}
	return named(m.Name, err)
}

// reportTitle is the title of the page.
func reportTitle(list []*results.Report) string {
	if len(list) == 1 {
		return list[0].Input
	}
	return fmt.Sprintf("%d models", len(list))
}

// page returns the page of reports, in the document of "report" whatever the command.
func (p *program) page(elements []any, title string) ([]byte, error) {
	data, err := p.document("report", elements)
	if err != nil {
		return nil, err
	}
	return page.HTML(title+" - tflarena report", data)
}
