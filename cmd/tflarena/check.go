package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

const textFormat = "text"

var checkFormats = []string{"json", "markdown", "github"}

const checkDescription = `Fails a build when a model does not fit. The exit code is 4 if a model exceeds its budget, and, also without a budget, if the embedded memory plan is broken or the model has a fault: an operator without a kernel, a kernel that refuses a type or crashes, or wrong results. --allow-faults passes wrong results. Faults of some builds only, or never seen in a run, are warnings ('tflarena help faults'), and so are custom operators, whose kernels are the application's.

The required arena is the smallest in which allocation succeeds: copy it into your firmware. --max-arena limits it. Used is what arena_used_bytes() returns, head plus tail: the head holds tensors and scratch, as TensorFlow Lite Micro plans them around an embedded plan; the tail holds everything else. Required can be larger than used, because the runtime needs some memory temporarily while it allocates. The figures are exact for the named kernels and ABI; with --scratch FILE, the tail is an estimate. The time is always an estimate: see 'tflarena help analyze'. Without a budget, check prints the figures.

A project file, tflarena.toml, has targets and limits for all models and for single ones: see 'tflarena help config'. Without a MODEL, check takes the models that the file names. If there are several models, each gets one line, and the reasons for failures follow below.

--base compares with the models of another revision: a file, or a folder with a file at the same path or of the same name. A model that the folder lacks is new. --max-growth limits the change. --format markdown prints a table with budget, spare and change, for the summary of a CI job.

Examples:
  tflarena check model.tflite --max-arena 128K
  tflarena check --config tflarena.toml --format github models/
  tflarena check model.tflite
  tflarena check model.tflite --max-head 54KiB -o markdown=report.md`

func (p *program) checkCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "max-arena", Category: groupBudget, Usage: "fail if the required arena exceeds `SIZE`: 128K, 64KiB"},
		&cli.StringFlag{Name: "max-head", Category: groupBudget, Usage: "fail if the head (tensors and scratch) exceeds `SIZE`"},
		&cli.StringFlag{Name: "max-tensor", Category: groupBudget, Usage: "fail if a single tensor exceeds `SIZE`"},
		&cli.StringFlag{Name: "max-growth", Category: groupBudget, Usage: "fail if used bytes grow by more than `GROWTH`: 2%, 1K"},
		&cli.StringFlag{Name: "base", Category: groupBudget, Usage: "compare with the model `FILE`, or a folder of models"},
		&cli.StringFlag{Name: "budget", Category: groupBudget, Usage: "limits in `FILE` for each model: see 'help config'"},
		&cli.StringFlag{Name: "across", Category: groupRules, Usage: "check each modelled release of the kernels `LIBRARY`, such as esp-nn"},
		allowFaultsFlag("pass a model that computes wrong results"),
	}, append(scratchFlags(), timeFlag())...)
	flags = append(flags, reworded("quiet", "print no warnings, and nothing if all models pass", outputFlags(checkFormats, sortFlag(), detailsFlag(),
		&cli.StringFlag{Name: "format", Value: textFormat, Category: groupOutput, Usage: "print `FORMAT`: " + marked(append([]string{textFormat}, checkFormats...), textFormat)}))...)
	return &cli.Command{
		Name: "check", ArgsUsage: "MODEL...",
		Usage:       "fail if a model exceeds its memory budget",
		UsageText:   "tflarena check [flags] MODEL...",
		Description: checkDescription,
		Flags:       flags,
		Action:      p.check,
	}
}

// checkFlags are the options of "check".
type checkFlags struct {
	runtimeChoice
	files []string
	// targets are the targets of each file, and verdicts counts those of all files.
	targets  map[string][]target
	verdicts int
	// limits are those of the flags.
	limits budget.Limits
	// allow reports that wrong results become warnings.
	allow bool
	sort  string
	// across are the kernel libraries of --across, with releases.
	across []string
	// given are the flags of limits as given.
	given []string
}

func (p *program) checkFlags(c *cli.Context) (f *checkFlags, in *invocation, err error) {
	f = &checkFlags{
		runtimeChoice: runtimeChoice{rules: rules.Micro(), subgraph: -1}, targets: map[string][]target{}, allow: c.Bool("allow-faults"), sort: c.String("sort"),
		given: asked(c, "max-arena", "max-head", "max-tensor", "max-growth", "base", "budget"),
	}
	if f.limits, err = limitsOf(c); err != nil {
		return nil, nil, err
	}
	args := c.Args().Slice()
	if len(args) == 0 {
		args = p.project.file.Names()
	}
	if len(args) == 0 && p.project.path != "" {
		return nil, nil, usagef("check: no model given, and %s names none that exists: name a .tflite file or a folder", p.project.path)
	}
	if len(args) == 0 {
		return nil, nil, usagef("check: no model given: name a .tflite file, - for standard input, or a project file that names models with --config")
	}
	if f.files, err = expand(args, ".tflite"); err != nil {
		return nil, nil, err
	}
	if in, err = p.invocation(c, func(c *cli.Context) ([]output.Spec, error) { return p.checkOutputs(c, f.files) }); err != nil {
		return nil, nil, err
	}
	for _, file := range f.files {
		if f.targets[file], err = p.targetsOf(c, file); err != nil {
			return nil, nil, err
		}
		f.verdicts += len(f.targets[file])
	}
	p.brief = f.verdicts > 1 && !in.style.Details
	if c.IsSet("across") {
		f.across, err = releasesOf(c.String("across"))
	}
	return f, in, err
}

// limitsOf reads the flags that limit memory.
func limitsOf(c *cli.Context) (limits budget.Limits, err error) {
	for _, f := range []struct {
		name  string
		limit **budget.Size
	}{{"max-arena", &limits.Arena}, {"max-head", &limits.Head}, {"max-tensor", &limits.Tensor}} {
		if !c.IsSet(f.name) {
			continue
		}
		n, err := sizeOf(c, f.name, 0)
		if err != nil {
			return limits, err
		}
		size := budget.Size(n)
		*f.limit = &size
	}
	if c.IsSet("max-growth") {
		growth, err := budget.ParseGrowth(c.String("max-growth"))
		if err != nil {
			return limits, usagef("--max-growth: %v", err)
		}
		limits.Growth = &growth
	}
	if base := c.String("base"); base != "" {
		limits.Base = &budget.Base{File: base}
	}
	return limits, nil
}

func (p *program) check(c *cli.Context) error {
	f, in, err := p.checkFlags(c)
	if err != nil {
		return err
	}
	for _, unused := range p.unused(f.files) {
		what := fmt.Sprintf("model %q is not among the models that are checked", unused)
		if budget.IsPattern(unused) {
			what = fmt.Sprintf("pattern %q matches none of the models that are checked", unused)
		}
		p.say(p.project.path, "warning", what)
	}
	found, err := each(p, f.files, func(model string) ([]*results.Check, error) {
		list, err := p.checkOnAll(f, model)
		if code := exitCode(err); code == exitInvalid || code == exitFailure {
			// A page or a report about several models includes the error.
			p.complain(err)
			failed := noResult(model, err)
			return []*results.Check{{Input: failed.Input, Failed: failed}}, nil
		}
		return list, err
	})
	if err != nil {
		return err
	}
	var list []*results.Check
	for _, checks := range found.done {
		list = append(list, checks...)
	}
	elements := checkElements(found.elements)
	results.SortChecks(list, f.sort)
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
		return p.document(in.command, elements)
	}, func() string {
		if p.quiet && p.code == exitOK {
			return ""
		}
		return results.ChecksText(list, in.style)
	})
}

// checkElements returns the results of all files for JSON, errors in place of failed ones.
func checkElements(files []any) (list []any) {
	for _, x := range files {
		checks, ok := x.([]*results.Check)
		if !ok {
			list = append(list, x)
		}
		for _, r := range checks {
			if r.Failed != nil {
				list = append(list, r.Failed)
			} else {
				list = append(list, r)
			}
		}
	}
	return list
}

// unused returns the entries of the project file for models that are not checked, if the file is for
// this check alone.
func (p *program) unused(files []string) []string {
	if !p.project.budget {
		return nil
	}
	return p.project.file.Unused(files)
}

// checkOutputs reads -o, --json and --format, which is -o FORMAT=-.
func (p *program) checkOutputs(c *cli.Context, files []string) ([]output.Spec, error) {
	format := c.String("format")
	read := slices.Clone(files)
	for _, flag := range []string{"budget", "base"} {
		if path := c.String(flag); path != "" {
			read = append(read, path)
		}
	}
	specs, err := p.outputs(checkFormats, read...)(c)
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

// checkOnAll checks a model on each of its targets.
func (p *program) checkOnAll(f *checkFlags, file string) (list []*results.Check, err error) {
	m, err := p.loadModel(file)
	if err != nil {
		return nil, err
	}
	for _, t := range f.targets[file] {
		on := *f
		on.target = t
		r, err := p.checkOne(&on, file, m)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// checkOne checks a model. If there are several verdicts, it also computes the possible gain of a plan.
func (p *program) checkOne(f *checkFlags, file string, m *tflite.Model) (*results.Check, error) {
	limits := f.limits.Over(p.project.file.For(file, f.board.Name).Limits)
	if limits.None() && p.project.budget {
		return nil, named(m.Name, usagef("there is no budget for this model: add an entry for it to %s, or limits for all models", p.project.path))
	}
	s, err := f.unmodified(p.ctx, m)
	if err != nil {
		return nil, err
	}
	base, err := p.base(f, file, limits)
	if err != nil {
		return nil, err
	}
	r := s.Check(limits, base, f.allow)
	if r.Time, err = f.time(p, m, -1, 0); err != nil {
		return nil, err
	}
	r.On(f.board)
	if r.PlanRemedy == results.CountKernels {
		r.PlanProblem += kernelsHint(s.Carried.Marker)
	}
	r.PlanProblem += remedies[r.PlanRemedy]
	f.addRemedies(s.Carried.Marker, r.Notes, r.Warnings, r.Failures)
	r.Next = f.nextToFit(p.ctx, file, s, r, limits)
	if len(f.across) > 0 {
		own := r.Verdict
		worst := r.Across(s.OtherKernels(p.ctx, limits, f.across))
		if worst != nil && (r.Verdict != own || f.anyKernels() && len(r.Failures) == 0) {
			r.Next = f.checkWith(file, s, worst.Kernels)
		}
	} else if f.anyKernels() && f.verdicts == 1 {
		r.OtherKernels = s.OtherKernels(p.ctx, limits, rules.KernelLibraries())
	}
	if f.verdicts > 1 {
		best, err := s.Quickest(p.ctx, p.solver(m.Name))
		if err != nil {
			return nil, err
		}
		r.Reachable(best)
	}
	p.warn(m.Name, r.Warnings)
	return r, nil
}

// base returns the model before or its recorded arena, or nil without either.
func (p *program) base(f *checkFlags, file string, limits budget.Limits) (*app.Base, error) {
	switch {
	case limits.Growth == nil && limits.Base == nil:
		return nil, nil
	case limits.Growth == nil && limits.Base.File == "":
		return nil, named(file, usagef("used_bytes is given, but no limit for growth: add --max-growth, or max_growth to the budget file"))
	case limits.Base == nil:
		return nil, named(file, usagef("there is a limit for growth, but nothing to compare with: add --base FILE, or used_bytes or base to the budget file"))
	}
	path := limits.Base.File
	if path == "" {
		return &app.Base{Used: limits.Base.Bytes, From: "recorded"}, nil
	}
	if !isScratchWord(f.scratch) {
		return nil, named(file, usagef("--scratch %s is for one model, and the base is another model: record used_bytes in the budget file instead of a base", f.scratch))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if path = within(path, file); path == "" {
			return &app.Base{New: true}, nil
		}
	}
	m, err := p.loadModel(path)
	if err != nil {
		return nil, fmt.Errorf("the base of %s: %w", file, err)
	}
	arena, err := f.arena(p.ctx, m)
	if err != nil {
		return nil, err
	}
	before := &results.Baseline{Input: path, Figures: arena.Stated()}
	if !arena.Known() {
		return &app.Base{Unknown: "the arena of " + path + " is not known", Model: before}, nil
	}
	return &app.Base{Used: arena.Used, From: "of " + path, Model: before}, nil
}

// within returns the path of a model in a folder of models before: at the model's own path, if the folder is
// a copy of the working directory, or else its name. It is "" if the folder has neither.
func within(folder, model string) string {
	names := []string{filepath.Base(model)}
	if here, err := os.Getwd(); err == nil {
		if absolute, err := filepath.Abs(model); err == nil {
			if path, err := filepath.Rel(here, absolute); err == nil && filepath.IsLocal(path) {
				names = []string{path, names[0]}
			}
		}
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}
