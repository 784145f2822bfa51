package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

const fitDescription = `Makes a model need less memory than its largest operator. It goes up a ladder until
the model is within the budget: a memory plan, another order of the operators,
operators left out that compute nothing, and runs of operators computed piece by
piece, in strips, tiles or slices of the channels, so that no tensor within a run is
ever whole. The weights stay as they are, and so does every output: bit for bit in
TensorFlow Lite Micro and in LiteRT's reference kernels. LiteRT's optimised kernels
may round the last bit of floats, QUANTIZE and DEQUANTIZE otherwise, and its default
delegate whatever it takes.

  --arena SIZE   a budget for all that TensorFlow Lite Micro's arena holds: the head,
                 the tail (an estimate for the reference kernels), and what planning
                 takes
  --head SIZE    a budget for the head alone, in an arena that is no larger than before;
                 with --arena SIZE above that it may be, for a head that has memory
                 of its own
  --least        the least head there is; the arena may be larger than before, as each
                 piece of a convolution has persistent data of its own

Of the ways to meet --arena the one with the least extra work is taken, counted in
multiply-accumulates. Of those to meet --head alone it is the one with the least sum
of extra work and persistent memory, each as a part of what there was. What is taken
was built and measured. Where the budget cannot be met, the best that was
found is printed, nothing is written, and the exit code is 4, or 5 where --time-limit ended
the search. At Ctrl-C the best so far is printed, and with --least it is written. A model
that the reference kernels would not run is fitted with a warning, since the file may be
for another runtime or for other kernels; one that runs is never made one that does not.

A plan that the model carries counts in what it takes as it is. One of another tool stays,
and the output is a copy, unless --force is given. With --time-limit the search goes on, in
rounds of ever more work, until the time is over or nothing is left to try.

` + aliasDescription + `

Examples:
  tflarena fit model.tflite --arena 128KiB -o small.tflite
  tflarena fit model.tflite --head 64KiB --max-overhead 5% -o small.tflite
  tflarena fit model.tflite --least -o small.tflite -o json=report.json`

func (p *program) fitCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "arena", Category: groupPlan, Usage: "bound the whole arena by `SIZE`, such as 131072 or 128KiB"},
		&cli.StringFlag{Name: "head", Category: groupPlan, Usage: "bound the arena's head by `SIZE`"},
		&cli.BoolFlag{Name: "least", Category: groupPlan, Usage: "look for the least head"},
		&cli.StringFlag{Name: "max-overhead", Category: groupPlan, DefaultText: "any", Usage: "take no more than `PERCENT` extra multiply-accumulates, such as 5%"},
		aliasFlag(),
		&cli.DurationFlag{Name: "time-limit", Category: groupPlan, DefaultText: "none", Usage: "stop after `TIME`, such as 10s, with the best so far"},
		&cli.StringFlag{
			Name: "scratch", Value: scratchReference, Category: groupPlan,
			Usage: "count scratch of kernels as the reference kernels ask for it (reference), or not at all (none)",
		},
		&cli.BoolFlag{Name: "force", Category: groupPlan, Usage: "replace the plan of another tool; move bytes that may hold positions"},
		&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON; the same as -o json=-"},
		&cli.StringSliceFlag{
			Name: "output", Aliases: []string{"o"}, Category: groupOutput,
			Usage: "write the model to `PATH`, - for standard output; json=PATH writes the report with the whole frontier; repeatable",
		},
		&cli.BoolFlag{Name: "bytes", Category: groupOutput, Usage: "print plain integers instead of 36,864 B (36.00 KiB)"},
		&cli.StringFlag{Name: "color", Value: "auto", Category: groupOutput, Usage: "`WHEN` to colour: auto, always or never"},
		quietFlag(),
	}
	flags = append(flags, targetFlags()...)
	return &cli.Command{
		Name: "fit", ArgsUsage: "MODEL",
		Usage:       "make a model fit into a budget of memory",
		UsageText:   "tflarena fit [flags] MODEL --arena SIZE -o OUT",
		Description: fitDescription,
		Flags:       flags,
		Action:      p.fitModel,
	}
}

func (p *program) fitModel(c *cli.Context) error {
	goal, err := fitGoal(c)
	if err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	specs, err := p.fitOutputs(c)
	if err != nil {
		return err
	}
	ctx, cancel, err := limited(c)
	if err != nil {
		return err
	}
	defer cancel()
	m, err := p.loadModel(c.Context, c.Args().First())
	if err != nil {
		return err
	}
	var line *progress.Line
	if p.env.IsTerminal(p.stderr) && !c.Bool("quiet") {
		line = progress.Start(p.stderr, "fitting")
		goal.Progress = func(done, all int) { line.Set(fmt.Sprintf("cuts of %d of %d runs of operators", done, all)) }
	}
	defer lessCollecting()()
	report, err := fit.Fit(ctx, m, goal)
	line.Stop()
	if err != nil {
		return named(m.Name, hint(err))
	}
	return p.fitResult(c, m, goal, report, specs, style)
}

// lessCollecting lets garbage be collected at five times the memory that is in use, unless the
// user says when, and returns what restores that. A search makes much of it and keeps little:
// it takes two thirds of the time that way.
func lessCollecting() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(400)
	return func() { debug.SetGCPercent(before) }
}

// fitResult prints what was found, and writes the model where it is as asked for.
func (p *program) fitResult(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report, specs []output.Spec, style results.Style) error {
	r := results.NewFit(m.Name, report, goal)
	r.Warnings = append(r.Warnings, unusual(m)...)
	r.Warnings = append(r.Warnings, microRefusals(m)...)
	v, err := microView(m)
	if err != nil {
		return named(m.Name, err)
	}
	r.Warnings = append(r.Warnings, fileWarnings(v)...)
	p.warn(c, m.Name, r.Warnings)
	r.Notes = append(r.Notes, scratchNote(c, len(goal.Scratch(m))))
	best := &report.Rungs[report.Best]
	if best.Takeovers > 0 {
		r.Notes = append(r.Notes, aliasNote(goal.Alias, best.Takeovers))
	}
	data := best.Data
	if data == nil {
		data = m.Data
	} else if err := runsAsBefore(m, data); err != nil {
		return named(m.Name, err)
	}
	r.Notes = append(r.Notes, p.fitHints(c, m, report)...)
	if !p.fitWrites(c, m, goal, report) {
		specs = reports(specs)
	}
	for _, s := range specs {
		if s.Format == modelFormat {
			r.Output = s.Path
		}
	}
	err = p.emit(specs, func(format string) ([]byte, error) {
		if format == modelFormat {
			return data, nil
		}
		return results.JSON(r)
	}, func() string { return r.Text(style) })
	if err == nil {
		p.aside(c, specs, r.Text(style))
	}
	return err
}

// fitWrites says what became of the goal, sets the exit code, and reports whether the model is
// to be written: it is what was asked for, or, when an interrupt ended the search for the
// least head, the best until then.
func (p *program) fitWrites(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report) bool {
	gained, wanted := len(report.Rungs) > 1, goal.Head == 0 && goal.Arena == 0 || report.Met
	switch {
	case report.Interrupted && c.Context.Err() != nil:
		p.code = exitInterrupted
		wanted = wanted && gained
		outcome := "no model is written"
		if wanted {
			outcome = "it is written"
		}
		fmt.Fprintf(p.stderr, "%s: %s: interrupted; this is the best so far, and %s\n", name, m.Name, outcome)
		return wanted
	case report.Interrupted:
		p.say(c, m.Name, "note", fmt.Sprintf("--time-limit %s reached; this is the best so far", c.Duration("time-limit")))
	}
	switch {
	case !wanted && report.Interrupted:
		p.code = max(p.code, exitNoAnswer)
		p.say(c, m.Name, "note", "the budget is not met so far; no model is written")
	case !wanted:
		p.code = max(p.code, exitCheck)
		p.say(c, m.Name, "note", "the budget is not met; no model is written")
	case !gained && report.Foreign != "" && !goal.Force:
		p.say(c, m.Name, "note", "the output is a copy of the input")
	case !gained && report.Interrupted:
		p.say(c, m.Name, "note", "nothing was gained until then; the output is a copy of the input")
	case !gained:
		p.say(c, m.Name, "note", "nothing to gain; the output is a copy of the input")
	}
	return wanted
}

// fitHints returns what is to be known of the plan that the model carries, and what flags may
// gain more.
func (p *program) fitHints(c *cli.Context, m *tflite.Model, report *fit.Report) (notes []string) {
	switch best := report.Rungs[report.Best]; {
	case report.Foreign == "":
	case !c.Bool("force"):
		notes = append(notes, "the plan is another tool's: "+report.Foreign+"; --force replaces it")
	case best.Data != nil:
		p.warn(c, m.Name, []string{foreignGoes(report.Foreign)})
	}
	if s := report.Sharing; s != nil {
		note := fmt.Sprintf("a short try with --alias %s came to a head of %s B and an arena of %s B", s.Alias, units.Exact(s.Head), units.Exact(s.Arena))
		if s.Met {
			note += ", which is within the budget"
		}
		notes = append(notes, note)
	}
	for _, note := range notes {
		p.say(c, m.Name, "note", note)
	}
	return notes
}

// reports leaves models out of what is to be written.
func reports(specs []output.Spec) (kept []output.Spec) {
	for _, s := range specs {
		if s.Format != modelFormat {
			kept = append(kept, s)
		}
	}
	return kept
}

// fitGoal reads the flags that say what to fit into.
func fitGoal(c *cli.Context) (g fit.Goal, err error) {
	switch n := c.NArg(); {
	case n == 0:
		return g, usagef("fit: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return g, usagef("fit: %d models given, but fit takes one", n)
	case !c.IsSet("arena") && !c.IsSet("head") && !c.Bool("least"):
		return g, usagef("fit: say into what: --arena SIZE, --head SIZE, or --least")
	case c.Bool("least") && (c.IsSet("arena") || c.IsSet("head")):
		return g, usagef("--least and a budget: leave one of them out")
	case c.String("scratch") != scratchNone && c.String("scratch") != scratchReference:
		return g, usagef("--scratch %q: fit makes new operators, so that no file can know them; use reference or none", c.String("scratch"))
	}
	if g.Target, err = target(c); err != nil {
		return g, err
	}
	if g.Alias, err = aliasOf(c); err != nil {
		return g, err
	}
	for name, into := range map[string]*int64{"arena": &g.Arena, "head": &g.Head} {
		if !c.IsSet(name) {
			continue
		}
		if *into, err = units.Parse(c.String(name)); err != nil || *into <= 0 {
			return g, usagef("--%s %q: use a size above zero, such as 131072 or 128KiB", name, c.String(name))
		}
	}
	g.MaxOverhead, g.Force = -1, c.Bool("force")
	if text := c.String("max-overhead"); c.IsSet("max-overhead") {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "%"), 64)
		if err != nil || percent < 0 || percent > 1e6 {
			return g, usagef("--max-overhead %q: use a percentage, such as 5%%", text)
		}
		g.MaxOverhead = percent / 100
	}
	g.Scratch = func(m *tflite.Model) []rules.Request {
		if c.String("scratch") == scratchNone {
			return nil
		}
		return rules.ReferenceScratch(m, g.Target)
	}
	return g, nil
}

// fitOutputs reads where the model and the report go.
func (p *program) fitOutputs(c *cli.Context) ([]output.Spec, error) {
	texts := c.StringSlice("output")
	if c.Bool("json") {
		texts = append(texts, "json="+output.Stdout)
	}
	specs, err := output.ParseModel(texts, rewriteFormats, inputs(c))
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		if s.Format == modelFormat {
			return specs, p.apart(c, specs)
		}
	}
	return nil, usagef("fit: say where to with -o OUT")
}
