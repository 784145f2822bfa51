package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
)

var planFormats = append(append([]string{"json", "csv", "svg"}, cFormats...), programFormats...)

const planDescription = `Makes one plan of a model, or of a CSV problem in MiniMalloc's form: a header
row with the columns id, lower, upper (exclusive) or end (inclusive), size, and
perhaps alignment, offset (a buffer that is pinned there) and gaps (times a-b in
which it holds nothing, or a-b@lo:hi for only some bytes). Buffers of a problem
are planned at alignment 1 unless --align or a column says otherwise;
-o csv=PATH writes the same rows with their offsets.

For programs that cannot take a plan from the metadata of a model, -o header=PATH
(or PATH.h) writes it as C constants, and -o bufferplan=PATH as the BufferPlan of
TensorFlow Lite Micro's NonPersistentMemoryPlannerShim. Both place kernel scratch
too, as the reference kernels ask for it unless --scratch says otherwise.

Every format places each tensor by itself, also those that share memory under
--alias; JSON lists which tensor lies on which other one, and at which distance.

For another opinion, -o lp=PATH and -o mps=PATH write the problem as an integer
program for CBC, GLPK and other solvers, which need not go above this plan's total.
--solution reads back what CBC's command "solution" or glpsol --write makes of it;
the plan is checked, but what the solver has proven is its own word.

The default strategy, auto, takes the best plan of the quick ones and, where that is
not proven to be the smallest, searches for a second; exact searches until it knows.
Either ends with the best plan so far at --time-limit, or at Ctrl-C.

With --capacity the exit code is the answer: 0 it fits, 4 it cannot fit, with the
proof and a few tensors that are too much by themselves, 5 not known. The search for
the answer ends after 10 s unless --time-limit says otherwise.

` + aliasDescription + `

Examples:
  tflarena plan model.tflite --strategy greedy-by-size
  tflarena plan model.tflite -o plan.json -o map.svg
  tflarena plan problem.csv --capacity 1MiB --time-limit 10s
  tflarena plan model.tflite --scratch sizes.csv -o bufferplan=plan.h
  tflarena plan problem.csv -o lp=p.lp && cbc p.lp solve solution p.txt
  tflarena plan problem.csv --solution p.txt
  tflarena plan - -o csv=- < problem.csv`

func (p *program) planCommand() *cli.Command {
	flags := append(runtimeFlags(), []cli.Flag{
		&cli.StringFlag{
			Name: "approach", Aliases: []string{"a"}, Value: string(alloc.Offsets), Category: groupPlan,
			Usage: "share memory as `KIND`: offsets in one block, or shared objects (\"shared\")",
		},
		&cli.StringFlag{
			Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan,
			Usage: "plan with `NAME`, listed above",
		},
		&cli.Int64Flag{Name: "align", DefaultText: "the runtime's, or 1", Category: groupPlan, Usage: "place every tensor at a multiple of `BYTES`"},
		&cli.StringFlag{Name: "capacity", Category: groupPlan, Usage: "say whether the plan fits into `SIZE`, such as 131072 or 128KiB"},
		solutionFlag(),
		limitFlag("1s with auto, none with exact, 10s with --capacity"),
		&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "search with other random numbers: `N` chooses which"},
	}...)
	flags = append(flags, aliasFlag())
	scratch := scratchFlags(scratchNone)
	scratch[0].(*cli.StringFlag).DefaultText = scratchNone + ", or " + scratchReference + " for C"
	flags = append(flags, scratch...)
	return &cli.Command{
		Name: "plan", ArgsUsage: "MODEL|PROBLEM.csv|-",
		Usage:       "one plan for a model or a CSV problem",
		UsageText:   "tflarena plan [flags] MODEL|PROBLEM.csv|-",
		Description: planDescription + "\n\n" + describeStrategies(),
		Flags:       append(flags, outputFlags(planFormats, topFlag(200))...),
		Action:      p.plan,
	}
}

// describeStrategies lists for help what there is.
func describeStrategies() string {
	var b strings.Builder
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		fmt.Fprintf(&b, "Strategies for --approach %s:\n", a)
		for _, s := range alloc.Strategies(a) {
			fmt.Fprintf(&b, "  %-24s %s\n", s.Name, s.Summary)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *program) plan(c *cli.Context) error {
	o, capacity, err := planOptions(c)
	if err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	specs, err := p.outputs(c, planFormats, inputs(c))
	if err != nil {
		return err
	}
	target, err := target(c)
	if err != nil {
		return err
	}
	ctx, cancel, err := limited(c)
	if err != nil {
		return err
	}
	defer cancel()
	j, err := p.job(ctx, c, specs)
	if err != nil {
		return err
	}
	p.warn(c, j.title, j.warnings)
	plan, verdict, err := p.planOf(ctx, c, j, o, capacity)
	if err != nil {
		return err
	}
	p.noteTime(c, j.title, plan)
	l, err := j.layout(plan, verdict, capacity)
	if err != nil {
		return err
	}
	r := l.result()
	if capacity >= 0 {
		if r.Judge(capacity); verdict != nil {
			r.Decide(capacity, verdict)
		}
		p.code = max(p.code, capacityCode(r.Capacity.Verdict))
	}
	return p.emit(specs, func(format string) ([]byte, error) {
		return l.render(format, r, target, scratchNote(c, len(j.scratch)))
	}, func() string { return r.Text(style) })
}

// planOf returns the plan of a strategy, or a solver's. With a capacity, the strategies
// that search look for a plan within it, and there is a verdict.
func (p *program) planOf(ctx context.Context, c *cli.Context, j *job, o alloc.Options, capacity int64) (*alloc.Plan, *alloc.Verdict, error) {
	if c.IsSet("solution") {
		plan, err := p.readSolution(c, j, o.Approach)
		return plan, nil, err
	}
	if searches := o.Strategy == alloc.Auto || o.Strategy == alloc.Exact; capacity >= 0 && searches && o.Approach == alloc.Offsets {
		verdict, err := p.fit(ctx, c, j, o, capacity)
		if looked := j.soFar(o, err); looked != nil && (err != nil || verdict.Answer != alloc.Fits && looked.Total <= capacity) {
			return looked, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		return verdict.Plan, verdict, nil
	}
	plan, err := p.solve(ctx, c, j.title, j.planned(), o)
	if looked := j.soFar(o, err); looked != nil && (err != nil || looked.Total < plan.Total) {
		return looked, nil, nil
	}
	return plan, nil, err
}

// planOptions reads the flags that say how to plan. Capacity is -1 when none is set.
func planOptions(c *cli.Context) (o alloc.Options, capacity int64, err error) {
	switch n := c.NArg(); {
	case n == 0:
		return o, -1, usagef("plan: no input given: name a .tflite file or a CSV problem, or - for standard input")
	case n > 1:
		return o, -1, usagef("plan: %d inputs given, but plan takes one; 'tflarena compare' takes many", n)
	case c.IsSet("align") && c.Int64("align") < 1:
		return o, -1, usagef("--align %d: use a number of bytes above zero", c.Int64("align"))
	}
	if err := checkSolution(c); err != nil {
		return o, -1, err
	}
	o = alloc.Options{Approach: alloc.Approach(c.String("approach")), Strategy: c.String("strategy")}
	o.Seed = c.Uint64("seed")
	if o.Strategy == alloc.Auto {
		o.SearchTime = searchTime(c)
	}
	if _, err := alloc.Lookup(o.Approach, o.Strategy); err != nil {
		return o, -1, usagef("plan: %v", err)
	}
	capacity = -1
	if c.IsSet("capacity") {
		if capacity, err = units.Parse(c.String("capacity")); err != nil {
			return o, -1, usagef("--capacity: %v", err)
		}
	}
	return o, capacity, nil
}

func capacityCode(verdict string) int {
	switch verdict {
	case results.Infeasible:
		return exitCheck
	case results.Open:
		return exitNoAnswer
	}
	return exitOK
}
