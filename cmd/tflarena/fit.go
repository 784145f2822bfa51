package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

const fitDescription = `Makes a model need less memory than its largest operator, by a memory plan, another order of the operators, rules ('tflarena help rules') and tiling: runs of operators are computed in strips of rows, in tiles or in channel slices, so that a tensor within a run is never in memory as a whole.

The weights stay the same, and so do the outputs, bit for bit, in TensorFlow Lite Micro and in LiteRT's reference kernels. LiteRT's optimised kernels may round the last bit of floats, QUANTIZE and DEQUANTIZE differently, and its default delegate may round the last bit of every operator that it takes over.

  --arena SIZE  The required arena takes at most SIZE: the head, the tail, and
                what planning needs temporarily.
  --head SIZE   The head takes at most SIZE, and the arena no more than before.
                Add --arena SIZE to allow a larger arena, for a target that has
                separate memory for the head.
  --least       Look for the smallest head. The arena may become larger than
                before, because each tile of a convolution has persistent
                data of its own.

Without these three flags, fit writes no model. It lists the possible arenas for each --alias, from the best plan to the smallest arena, with the extra work and the new kernels of each, and the command that makes one. All were built and measured. --alias WHICH stops at WHICH. -o svg=PATH draws the list.

Of all models within the budgets, fit takes the one with the fewest extra MACs, in steps of 1 % of the model's own; then the smallest required arena, the fewest operators, the smallest file. If a model without tiles meets the budgets, no tiling is tried. The search takes at most 12 s (10 s with --least), or --time-limit.

If fit misses the budget, it writes nothing and exits with 4, or with 5 if --time-limit ended the search. The output then has the best result, what limits it (tensors or scratch of an operator, or the tail), why that operator is not tiled further, and flags that would meet the budget (tried until 14.8 s after the start, or until --time-limit). At Ctrl-C, fit prints the best result so far; --least also writes it.

A model with a fault is not changed: see 'tflarena help faults'. The model "as it is" includes its embedded plan. Another tool's plan stays, and the output is a copy, unless --force is given.

With --alias, outputs may be in-place: 'tflarena help alias' says with which kernels that is correct. --alias auto takes the first level that meets the budget. With --least, it takes the model with the smallest arena, not the smallest head.

For firmware, -o firmware=DIR writes a library that sets up and runs the model, -o cc=PATH the model as an aligned C array with the required arena, and -o resolver=PATH the resolver of its operators.

Examples:
  tflarena fit model.tflite -o svg=frontier.svg
  tflarena fit model.tflite --arena 128K -o small.tflite
  tflarena fit model.tflite --least -o small.tflite -o json=report.json`

func (p *program) fitCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "arena", Category: groupBudget, Usage: "limit the arena to `SIZE`, such as 128K"},
		&cli.StringFlag{Name: "head", Category: groupBudget, Usage: "limit the head to `SIZE`"},
		&cli.BoolFlag{Name: "least", Category: groupBudget, Usage: "find the smallest possible head"},
		&cli.StringFlag{Name: "max-overhead", Category: groupBudget, DefaultText: anyOverhead, Usage: "add at most `PERCENT` multiply-accumulates"},
		aliasFlag(autoAlias),
		substituteFlag(),
		ndebugFlag(),
		limitFlag("fit"),
		forceFlag(),
		allowFaultsFlag("write the model even if it has a fault"),
		wideFlag(),
	}
	flags = append(append(flags, modelFlags("write the model to `PATH`; also json=, svg=, firmware=")...), append(scratchFlags(), timeFlag())...)
	return &cli.Command{
		Name: "fit", ArgsUsage: "MODEL",
		Usage:       "make a model fit a memory budget",
		UsageText:   "tflarena fit [flags] MODEL [--arena SIZE -o OUT]",
		Description: fitDescription,
		Flags:       flags,
		Action:      p.fitModel,
	}
}

// fitTime is the default time limit of the trade-off table and of the search without a budget.
const fitTime = 10 * time.Second

// budgetTime is the default time limit of the search for a budget. It is longer than fitTime so that a command that is named
// for a missed budget meets it.
const budgetTime = 12 * time.Second

// explainTime is the default time limit for finding flags that meet a budget.
const explainTime = 2800 * time.Millisecond

// autoAlias is the --alias of fit that tries all levels in order.
const autoAlias = "auto"

// fitAliases are the values of --alias of fit.
func fitAliases() []string { return append(texts(rules.AllAliases()), autoAlias) }

// fitFlags are the options of "fit".
type fitFlags struct {
	target
	app.FitOptions
	// frontier reports that there is no budget.
	frontier bool
	// again are the flags that give the same trade-off table: others, and overhead. The rest are those
	// for a budget.
	again, others, budget, alias, overhead []string
}

func (p *program) fitFlags(c *cli.Context) (f *fitFlags, in *invocation, err error) {
	f = &fitFlags{frontier: !c.IsSet("arena") && !c.IsSet("head") && !c.Bool("least")}
	switch n := c.NArg(); {
	case n == 0:
		return nil, nil, usagef("fit: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return nil, nil, usagef("fit: %d models given, but fit takes one: run it once for each", n)
	case c.Bool("least") && (c.IsSet("arena") || c.IsSet("head")):
		return nil, nil, usagef("--least looks for the least head, whatever the budget: leave --least out, or --arena and --head")
	}
	if f.target, err = p.targetOf(c, c.Args().First()); err != nil {
		return nil, nil, err
	}
	if !f.frontier && f.board.Unmodelled != "" {
		return nil, nil, usagef("target %s: its kernels (%s) are not modelled: name others with --kernels", f.board.Name, f.board.Unmodelled)
	}
	if err := chosen("--alias", c.String("alias"), fitAliases()); err != nil {
		return nil, nil, err
	}
	if f.Goal, err = fitBudget(c); err != nil {
		return nil, nil, err
	}
	f.Alias, f.Auto, f.Force, f.AllowFaults = rules.Alias(c.String("alias")), c.String("alias") == autoAlias, c.Bool("force"), c.Bool("allow-faults")
	if all := rules.Aliases(); f.Auto || f.frontier && !c.IsSet("alias") {
		f.Alias = all[len(all)-1]
	}
	f.Highest = p.project.allow(c, &f.Alias, f.Auto)
	if f.Substitute, f.NoAssertions, err = substitutions(c, false); err != nil {
		return nil, nil, err
	}
	if text := c.String("max-overhead"); c.IsSet("max-overhead") && text != anyOverhead {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "%"), 64)
		if err != nil || !(0 <= percent && percent <= 1e6) {
			return nil, nil, usagef("--max-overhead %q: use a percentage, such as 5%%, or %s", text, anyOverhead)
		}
		f.MaxOverhead = percent / 100
	}
	f.LeastHead = c.Bool("least")
	f.overhead, f.budget, f.alias = asked(c, "max-overhead"), asked(c, "arena", "head"), asked(c, "alias")
	f.others = concat(asked(c, "scratch", "force", "substitute", "ndebug"), f.same(c.Args().First()))
	f.again = concat(f.overhead, f.others)
	if f.frontier {
		if in, err = p.invocation(c, p.frontierOutputs); err != nil {
			return nil, nil, err
		}
		in.command = frontierDocument
		return f, in, nil
	}
	if in, err = p.invocation(c, p.fitOutputs); err != nil {
		return nil, nil, err
	}
	return f, in, in.checkFolder(&f.target, in.file)
}

// fitBudget reads the budgets of commands that fit a model into memory.
func fitBudget(c *cli.Context) (g shrink.Goal, err error) {
	g.MaxOverhead = -1
	for _, f := range []struct {
		name  string
		bytes *int64
	}{{"arena", &g.Budget}, {"head", &g.HeadBudget}} {
		if c.IsSet(f.name) {
			if *f.bytes, err = sizeOf(c, f.name, 1); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// fitOutputs reads the outputs of the model and the report.
func (p *program) fitOutputs(c *cli.Context) ([]output.Spec, error) {
	specs, err := output.ParseModel(outputTexts(c), rewriteFormats, inputs(c), output.AnotherPath)
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		if holdsModel(s) {
			return specs, p.rejectMixedOutputs(c, specs)
		}
	}
	return nil, usagef("fit: no output given: name the new file with -o OUT")
}

func (p *program) fitModel(c *cli.Context) error {
	f, in, err := p.fitFlags(c)
	if err != nil {
		return err
	}
	search, explain := f.usualTimes()
	ctx, cancel := p.limit.within(p.ctx, search+explain)
	defer cancel()
	m, d, err := in.loadOn(&f.target)
	if err != nil {
		return err
	}
	f.Device = d
	warnings, err := app.Fittable(ctx, m, f.FitOptions)
	if err != nil {
		return in.failed(named(m.Name, hint(err)))
	}
	p.warn(m.Name, warnings)
	defer raiseGCTarget(m)()
	if f.frontier {
		return in.fitFrontier(f, m)
	}
	line := p.fitLine(&f.Goal, "fitting")
	within, stop := f.searchTime(ctx)
	found, err := app.Fit(within, m, f.FitOptions)
	stop()
	line.Stop()
	if err != nil {
		return in.failed(named(m.Name, hint(err)))
	}
	found.Interrupted = found.Interrupted && (p.limit.asked > 0 || p.ctx.Err() != nil)
	if found.Missed() {
		if err := p.explainFit(ctx, found); err != nil {
			return in.failed(named(m.Name, err))
		}
	}
	return in.fitResult(f, m, found)
}

// usualTimes returns the default time limits of the search and of finding flags that meet a missed budget.
func (f *fitFlags) usualTimes() (search, explain time.Duration) {
	switch {
	case f.Budget == 0 && f.HeadBudget == 0:
		return fitTime, 0
	case f.Loosest():
		return budgetTime, 0
	}
	return budgetTime, explainTime
}

// searchTime returns a context for the search, which leaves time to explain a budget that is not met.
func (f *fitFlags) searchTime(ctx context.Context) (context.Context, context.CancelFunc) {
	search, explain := f.usualTimes()
	end, limited := ctx.Deadline()
	if !limited || explain == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Duration(float64(time.Until(end))*search.Seconds()/(search+explain).Seconds()))
}

// explainFit explains a budget that is not met. It tries remedies until ctx ends.
func (p *program) explainFit(ctx context.Context, found *app.Fitted) error {
	goal := found.Goal
	goal.Progress = nil
	line := p.fitLine(&goal, "looking for flags that meet the budget")
	defer line.Stop()
	return found.Explain(p.ctx, ctx, goal)
}

// anyOverhead is the value of --max-overhead for no limit, its default.
const anyOverhead = "any"

// wayText describes a way by its flags.
func wayText(w *shrink.Way) string {
	alias, overhead, others := wayFlags(w)
	return strings.Join(concat(others, alias, overhead), " ")
}

// wayFlags returns the command-line flags of a way, nil for those that it does not change.
func wayFlags(w *shrink.Way) (alias, overhead, others []string) {
	if w.Alias != "" {
		alias = []string{"--alias", string(w.Alias)}
	}
	switch {
	case math.IsInf(w.MaxOverhead, 1):
		overhead = []string{"--max-overhead", anyOverhead}
	case w.MaxOverhead > 0:
		overhead = []string{"--max-overhead", strconv.FormatFloat(100*w.MaxOverhead, 'f', 1, 64) + "%"}
	}
	if w.Force {
		others = []string{"--force"}
	}
	return alias, overhead, others
}

// fitLine shows the progress of the search for tilings on a terminal, after an initial text.
func (p *program) fitLine(goal *shrink.Goal, text string) *progress.Line {
	if !p.env.IsTerminal(p.stderr) || p.quiet {
		return nil
	}
	line := progress.Start(p.stderr, text)
	goal.Progress = func(done, all int) { line.Set(fmt.Sprintf("looking for cuts: %d of %d runs of operators", done, all)) }
	return line
}
