package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// streamFormats are the output formats of stream for one budget, ladderFormats those for several, sweepFormats those of
// --sweep.
var (
	streamFormats = append(withPictures("json", "csv"), htmlFormat, "c", weightsFormat, flexnnFormat, modelFormat)
	ladderFormats = []string{"json", "c", weightsFormat, modelFormat}
	sweepFormats  = withPictures("json")
)

const streamDescription = `Plans a network whose weights do not all fit into memory. The plan says which weights stay in memory, when each of the others is prefetched, and where every tensor is, so that a run takes the least time within --budget. Loads wait for layers, not for clocks, so the plan is right however long each load and each layer takes.

A MODEL is seen as LiteRT sees it, with each operator as a layer. The time that a layer computes is estimated from its multiply-accumulates and --macs-per-second, and the time that it loads from its bytes, --bandwidth and --read-latency. --times names a CSV file with measured times, in the columns operator and compute_ms. --kernels or --scratch count scratch. The weights of one layer have to be in memory at once. If no plan fits into --budget for that reason, stream cuts layers along their output channels, as fit does. --slice auto does so if a run gets faster, --slice SIZE if weights are larger. --tile also tiles activations, as fit does, if a run gets faster: smaller activations leave memory for weights. Then the plan is of another model, which -o tflite=PATH writes.

MEMPROF.csv and the file of --times are the two profiles that FlexNN's planner reads (Li et al. 2024). -o flexnn=DIR writes both profiles, memprof.csv and timeprof.csv, also of a MODEL, and the three files that its runtime reads: malloc.txt, dependency.txt and layout.csv. That runtime begins no load but the first before layer 1 has computed.

  --budget SIZE   plan within SIZE bytes; below the least budget there is no
                  plan, and the exit code is 4; repeat it for several budgets
  --latency TIME  look for the least memory in which a run takes at most TIME
  --sweep         plan in --points budgets, from the least one to all weights,
                  beside the published method and the lower bound

Resident weights are in memory when a run begins; the first run loads them beforehand. The lower bound holds for every plan in the sense of package alloc/stream. The search ends by itself after about a second and finds the same plan on every machine. With --time-limit it goes on until the limit. At Ctrl-C, stream prints the best plan so far.

--segments DIR cuts the model into files that LiteRT runs one after another. With several budgets, a program changes the plan between runs. 'tflarena help segments' says more.

-o svg=PATH draws the memory over time, with the loader, the processor, and where the processor waits. -o html=PATH shows the same in a browser. -o csv=PATH writes a row for each tensor. -o tflite=PATH writes the model of the plan, with layers in slices and activations in tiles. -o c=PATH writes a table for firmware that says what to copy, where to, and after which layer, and -o weights=PATH the weights in the order of that table.

Examples:
  tflarena stream a.tflite --macs-per-second 30e9 --bandwidth 200M --budget 16M
  tflarena stream memprof.csv --times timeprof.csv --budget 64MiB -o flexnn=plan
  tflarena stream a.tflite --times t.csv --bandwidth 1G --budget 9M --segments p
  tflarena stream memprof.csv --times timeprof.csv --latency 500ms
  tflarena stream memprof.csv --times timeprof.csv --sweep -o svg=curve.svg`

func (p *program) streamCommand() *cli.Command {
	return &cli.Command{
		Name: "stream", ArgsUsage: "MODEL|MEMPROF.csv",
		Usage:       "prefetch weights so that a network larger than RAM can run",
		UsageText:   "tflarena stream [flags] MODEL|MEMPROF.csv --budget SIZE",
		Description: streamDescription,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "budget", Category: groupBudget, Usage: "plan within `SIZE` bytes, or repeat for several"},
			&cli.DurationFlag{Name: "latency", Category: groupBudget, DefaultText: "none", Usage: "find the least memory for a run of `TIME`, such as 500ms"},
			&cli.BoolFlag{Name: "sweep", Category: groupBudget, Usage: "plan for a range of budgets"},
			&cli.IntFlag{Name: "points", Value: 12, Category: groupBudget, Usage: "plan for `N` budgets with --sweep"},
			&cli.StringFlag{Name: "times", Category: groupPlan, Usage: "read measured times of layers from `FILE`"},
			&cli.StringFlag{Name: "strategy", Value: stream.Best, Category: groupPlan, Usage: "plan by `NAME`: " + marked(stream.Strategies(), stream.Best)},
			&cli.StringFlag{Name: "macs-per-second", Category: groupPlan, Usage: "speed of the processor: `N` MAC/s, such as 30e9"},
			&cli.StringFlag{Name: "bandwidth", Category: groupPlan, Usage: "speed of storage: `SIZE` per second, such as 200MiB"},
			&cli.DurationFlag{Name: "read-latency", Category: groupPlan, DefaultText: "none", Usage: "add `TIME` to each read of a weight"},
			&cli.StringFlag{Name: "slice", Category: groupPlan, DefaultText: "if needed", Usage: "slice layers larger than `SIZE`, or auto"},
			&cli.BoolFlag{Name: "tile", Category: groupPlan, Usage: "tile activations if a run gets faster"},
			&cli.StringFlag{Name: "segments", Category: groupOutput, Usage: "cut the model into files in the folder `DIR`"},
			&cli.BoolFlag{Name: delegateFlag, Category: groupPlan, Usage: "run segments with LiteRT's default delegate, XNNPACK"},
			limitFlag("stream"),
			&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "seed the random search with `N`"},
			&cli.StringFlag{Name: "scratch", Category: groupRules, DefaultText: "none", Usage: "count scratch: a CSV `FILE`, " + reference},
		}, append([]cli.Flag{kernelsFlag()}, outputFlags(streamFormats, topFlag(10), allFlag())...)...),
		Action: p.stream,
	}
}

// autoSlice chooses the size of slices by the time of a run.
const autoSlice = "auto"

// delegateFlag makes segments run with the default delegate of LiteRT.
const delegateFlag = "default-delegate"

// streamFlags are the options of "stream", which asks one of three questions.
type streamFlags struct {
	app.StreamOptions
	// budgets are ascending, with --budget.
	budgets []int64
	target
	// counts reports that the scratch of kernels counts.
	counts bool
	file   string
	// profiles reports that the input is a memory profile, and times is the file of --times, or "".
	profiles bool
	times    string
	// points is the number of budgets of a sweep, or 0.
	points int
	// segments is the folder of segments, and cut reports that there is one.
	segments      string
	cut, delegate bool
	// again are the flags that plan the same network in another budget.
	again []string
}

func (p *program) streamFlags(c *cli.Context) (f *streamFlags, in *invocation, err error) {
	if c.NArg() != 1 {
		return nil, nil, usagef("stream takes one model or memory profile, not %d", c.NArg())
	}
	f = &streamFlags{
		again: concat(again(c, "budget", "latency", "sweep", "points", timeLimitFlag), asked(c, "segments")),
		file:  c.Args().First(), profiles: isProblem(c.Args().First(), nil), times: c.String("times"), segments: c.String("segments"), cut: c.IsSet("segments"), delegate: c.Bool(delegateFlag),
		StreamOptions: app.StreamOptions{Latency: c.Duration("latency"), ForLatency: c.IsSet("latency"), Options: stream.Options{Strategy: c.String("strategy"), Seed: c.Uint64("seed")}},
	}
	var given []string
	for _, flag := range []string{"budget", "latency", "sweep"} {
		if c.IsSet(flag) {
			given = append(given, "--"+flag)
		}
	}
	switch {
	case len(given) == 0:
		return nil, nil, usagef("stream: say in how much memory: --budget SIZE, --latency TIME, or --sweep")
	case len(given) > 1:
		return nil, nil, usagef("stream: %s ask different questions: use only one of them", strings.Join(given, " and "))
	case f.ForLatency && f.Latency < 0:
		return nil, nil, usagef("--latency %s: use a time of at least zero, such as 500ms", f.Latency)
	case c.Int("points") < 2 || c.Int("points") > 1000:
		return nil, nil, usagef("--points %d: use a number from 2 to 1000", c.Int("points"))
	}
	if f.Rates, err = ratesOf(c, f.profiles); err != nil {
		return nil, nil, err
	}
	if f.budgets, err = sizesOf(c, "budget"); err != nil {
		return nil, nil, err
	}
	if err := chosen("--strategy", f.Strategy, stream.Strategies()); err != nil {
		return nil, nil, err
	}
	if c.IsSet("slice") {
		if f.profiles {
			return nil, nil, usagef("--slice cuts the layers of a model, and a profile has no model: leave --slice out")
		}
		if f.Faster = c.String("slice") == autoSlice; f.Faster && !c.IsSet("budget") {
			return nil, nil, usagef("--slice %s chooses slices for one budget: add --budget SIZE, or name a size", autoSlice)
		}
		if !f.Faster {
			if f.Slice, err = sizeOf(c, "slice", 1); err != nil {
				return nil, nil, err
			}
		}
	}
	if f.Tile = c.Bool("tile"); f.Tile && (f.profiles || !c.IsSet("budget")) {
		return nil, nil, usagef("--tile tiles the activations of a model for one budget: name a model and --budget SIZE")
	}
	switch {
	case f.delegate && !f.cut:
		return nil, nil, usagef("--%s is for segments: add --segments DIR, or leave it out", delegateFlag)
	case f.cut && (f.profiles || !c.IsSet("budget")):
		return nil, nil, usagef("--segments cuts a model for budgets: name a model and --budget SIZE")
	case f.Strategy != stream.Best && !c.IsSet("budget"):
		return nil, nil, usagef("--strategy is for one budget: add --budget SIZE, or leave --strategy out")
	}
	if f.target, err = p.targetOf(c, c.Args().First()); err != nil {
		return nil, nil, err
	}
	f.counts = !f.profiles && !f.cut && (f.kernels != "" || len(f.scratchFlag) > 0 && f.scratch != rules.NoScratch)
	given = append(f.scratchFlag, f.flags...)
	switch {
	case len(given) > 0 && (f.profiles || f.cut):
		return nil, nil, usagef("%s counts the scratch of a model's kernels, and a profile and LiteRT's segments have their own: leave it out", given[0])
	case !isScratchWord(f.scratch) && (c.IsSet("slice") || f.Tile):
		return nil, nil, usagef("--scratch %s is for the operators of the file, and slices and tiles are others: leave --slice and --tile out, or name --kernels", f.scratch)
	}
	formats := streamFormats
	if c.Bool("sweep") {
		formats, f.points = sweepFormats, c.Int("points")
	} else if c.IsSet(timeLimitFlag) {
		f.SearchNodes = stream.Unlimited // only the time ends the search
	}
	if in, err = p.invocation(c, p.outputs(formats)); err != nil {
		return f, in, err
	}
	if f.cut && f.segments == "" {
		return nil, nil, usagef("--segments: name a folder")
	}
	for _, s := range in.specs {
		switch {
		case s.Format == weightsFormat && f.profiles, s.Format == modelFormat && f.profiles:
			return nil, nil, usagef("-o %s: a profile has no weights: name a model", s.Format)
		case len(f.budgets) > 1 && !slices.Contains(ladderFormats, s.Format):
			return nil, nil, usagef("-o %s: shows the plan of one budget; give --budget once, or use %s", s.Format, spelling.List(ladderFormats, "or"))
		case f.cut && slices.Contains([]string{flexnnFormat, "c", weightsFormat}, s.Format): // LiteRT chooses addresses itself
			return nil, nil, usagef("-o %s: with --segments, LiteRT decides what lies where, and no plan is written: leave one of them out", s.Format)
		}
	}
	return f, in, nil
}

// ratesOf reads the speed of the machine that runs a model. Profiles contain it.
func ratesOf(c *cli.Context, profiles bool) (r litert.Rates, err error) {
	measured := c.String("times") != ""
	if profiles {
		for _, flag := range []string{"macs-per-second", "bandwidth", "read-latency"} {
			if c.IsSet(flag) {
				return r, usagef("stream: --%s is for models, and for profiles --times has the times: leave it out", flag)
			}
		}
		if !measured {
			return r, usagef("stream: name the time profile with --times FILE")
		}
		return r, nil
	}
	switch {
	case !c.IsSet("bandwidth") || !measured && !c.IsSet("macs-per-second"):
		return r, usagef("stream: a model needs --bandwidth SIZE, and --macs-per-second N or --times FILE")
	case measured && c.IsSet("macs-per-second"):
		return r, usagef("stream: --times has what --macs-per-second would estimate: leave one out")
	}
	bytes, err := sizeOf(c, "bandwidth", 1)
	if err != nil {
		return r, err
	}
	r = litert.Rates{Bytes: float64(bytes), Read: c.Duration("read-latency")}
	if !measured {
		text := c.String("macs-per-second")
		if r.MACs, err = units.ParseNumber(text); err != nil {
			return r, usagef("--macs-per-second: %v", err)
		}
		if r.MACs == 0 {
			return r, usagef("--macs-per-second %s: use a number above zero, such as 30e9", text)
		}
	}
	if r.Read < 0 {
		return r, usagef("--read-latency %s: use a time of at least zero, such as 100us", r.Read)
	}
	return r, nil
}

func (p *program) stream(c *cli.Context) error {
	f, in, err := p.streamFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	if f.cut {
		err = in.streamSegments(ctx, f)
	} else {
		err = in.streamNetwork(ctx, f)
	}
	if err != nil {
		return in.failed(err)
	}
	return nil
}

// countScratch makes the plan count the scratch of the kernels that the command line names, if any, and returns a note on
// what is estimated, and what is not counted.
func (f *streamFlags) countScratch(ctx context.Context, m *tflite.Model) (results.Note, error) {
	memory := "memory that kernels need in addition to tensors is not counted (--segments DIR counts LiteRT's, and writes files that it runs)"
	if f.counts {
		d, err := f.on(ctx, m)
		if err != nil {
			return results.Note{}, err
		}
		f.Scratch, f.Whole = d.Requests, !d.CountsKernels()
		memory = "kernel scratch is counted (source: " + d.ScratchSource() + ")"
	}
	if f.times == "" {
		memory = "times are estimated from multiply-accumulates and bytes, and " + memory + "; --times reads measured times"
	}
	return results.Note{Kind: results.NoteEstimated, Text: memory}, nil
}

// streamNetwork prints the plan of one budget, the one with the least memory for a latency, or the
// latency of a run by memory.
func (in *invocation) streamNetwork(ctx context.Context, f *streamFlags) error {
	p := in.p
	if f.profiles {
		net, err := p.readProfiles(f)
		if err != nil {
			return err
		}
		if f.points > 0 {
			return in.streamSweep(ctx, f, f.file, net, nil)
		}
		return in.streamed(ctx, f, f.file, []results.Note{}, func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
			return app.Stream(ctx, f.file, f.times, net, o)
		})
	}
	m, err := p.readTimed(f)
	if err != nil {
		return err
	}
	note, err := f.countScratch(p.ctx, m)
	if err != nil {
		return err
	}
	notes := []results.Note{note}
	if f.points == 0 {
		return in.streamed(ctx, f, m.Name, notes, func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
			return app.StreamModel(ctx, m, f.times, o)
		})
	}
	sliced, more, err := f.SliceLayers(ctx, m)
	if err != nil {
		return p.streamError(ctx, named(m.Name, err))
	}
	net, err := f.Layers(sliced)
	if err != nil {
		return named(m.Name, err)
	}
	return in.streamSweep(ctx, f, m.Name, net, append(notes, more...))
}

// streamed prints the plans of the budgets, or the plan for a latency, with notes before their own.
func (in *invocation) streamed(ctx context.Context, f *streamFlags, input string, notes []results.Note, plan streamPlanner) error {
	list, err := in.p.streamPlans(ctx, f, plan)
	if err != nil {
		return named(input, in.p.streamError(ctx, err))
	}
	for _, r := range list {
		r.Notes = append(notes[:len(notes):len(notes)], r.Notes...)
	}
	f.nextBudget(list)
	return in.emitStream(ctx, list)
}

// A streamPlanner plans for the budget or the latency of its options.
type streamPlanner func(context.Context, app.StreamOptions) (*app.Streamed, error)

// streamPlans returns the plans of the budgets, or the plan for a latency, and shows progress.
func (p *program) streamPlans(ctx context.Context, f *streamFlags, plan streamPlanner) ([]*app.Streamed, error) {
	defer p.streamProgress(&f.Options)()
	if f.ForLatency {
		r, err := plan(ctx, f.StreamOptions)
		return []*app.Streamed{r}, err
	}
	return app.StreamLadder(ctx, f.budgets, f.StreamOptions, plan)
}

// streamSweep prints the latency of a run by memory, with notes.
func (in *invocation) streamSweep(ctx context.Context, f *streamFlags, input string, net *network.Network, notes []results.Note) error {
	p := in.p
	stop := p.streamProgress(&f.Options)
	curve, err := stream.Sweep(ctx, net, f.points, f.Options)
	stop()
	if err != nil {
		return named(input, p.streamError(ctx, err))
	}
	r := results.NewStreamSweep(input, f.times, curve)
	r.Notes = append(r.Notes, notes...)
	r.Next = f.within(r.KneeBytes)
	p.noteStream(ctx, input, r.Interrupted)
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		return p.document("stream sweep", []any{r})
	}, func() string { return r.Text(in.style) })
}

// nextBudget proposes the least budget if the network does not fit into its only one.
func (f *streamFlags) nextBudget(list []*app.Streamed) {
	if r := list[0]; r.Plan == nil && len(f.budgets) == 1 && r.LeastBudgetBytes > 0 {
		r.Next = f.within(r.LeastBudgetBytes)
	}
}

// within returns the command line that plans the network in a budget.
func (f *streamFlags) within(budget int64) string {
	return shell.Command("stream", f.file, append(f.again, "--budget", fmt.Sprint(budget))...)
}

// noteStream reports that the result is only the best so far, and why.
func (p *program) noteStream(ctx context.Context, input string, interrupted bool) {
	switch {
	case !interrupted:
	case p.ctx.Err() != nil:
		p.interrupted(input, "this is the best so far")
	case ctx.Err() != nil && !p.quiet:
		p.tell(fmt.Sprintf("%s: --time-limit %s was reached; this is the best so far", input, p.limit.ending()))
	}
}

// streamError reports which limit ended a search without a result.
func (p *program) streamError(ctx context.Context, err error) error {
	switch {
	case p.ctx.Err() != nil:
		return interruptedError{}
	case ctx.Err() != nil:
		return &limitError{p.limit.ending()}
	}
	return err
}

// streamProgress shows progress until the returned function is called.
func (p *program) streamProgress(o *stream.Options) (stop func()) {
	if !p.env.IsTerminal(p.stderr) || p.quiet {
		return func() {}
	}
	line := progress.Start(p.stderr, "planning")
	o.Progress = func(now stream.Progress) {
		line.Set(fmt.Sprintf("best %v, bound %v", now.Latency.Round(time.Microsecond), now.LowerBound.Round(time.Microsecond)))
	}
	return line.Stop
}
