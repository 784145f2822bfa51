package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
)

// streamFormats are the output formats of stream for one budget, sweepFormats those for many.
var (
	streamFormats = append(withPictures("json", "csv"), htmlFormat, "c", flexnnFormat)
	sweepFormats  = withPictures("json")
)

const streamDescription = `Plans a network whose weights do not all fit into memory. The plan says which weights stay in memory, when the loading of each of the others begins, ahead of its layer, and where every tensor lies, so that a run takes the least time within --budget. Loads wait for layers, not for clocks, so the plan is right however long each load and each layer takes.

A MODEL is seen as LiteRT sees it, with each operator as a layer. The time that a layer computes is estimated from its multiply-accumulates and --macs-per-second, and the time that it loads from its bytes, --bandwidth and --read-latency. If you have measured how long the layers compute, name a CSV file with the columns operator and compute_ms with --times. The weights of one layer have to be in memory at once, so --slice first cuts layers with larger weights along their output channels, as fit does.

MEMPROF.csv and the file of --times are the two profiles that FlexNN's planner reads (Li et al. 2024). -o flexnn=DIR writes the three files that its runtime reads: malloc.txt, dependency.txt and layout.csv. That runtime begins no load but the first before layer 1 has computed.

  --budget SIZE   plan within SIZE bytes; below the least budget there is no
                  plan, nothing is written, and the exit code is 4
  --latency TIME  look for the least memory in which a run takes at most TIME
  --sweep         plan in --points budgets, from the least one to all weights,
                  beside the published method and the lower bound

Resident weights are in memory when a run begins; the first run loads them beforehand. The lower bound holds for every plan in the sense of package alloc/stream. The search ends by itself after about a second and finds the same plan on every machine. With --time-limit it goes on until the limit. At Ctrl-C, stream prints the best plan so far.

--segments DIR cuts the model into files that LiteRT runs one after another, and writes manifest.json beside them, which says how to run them. Each layer of the plan is then a segment. The budget covers everything that the process takes in addition to what it takes before it first runs a model: files, the tensors between segments, and what LiteRT needs for the segment that runs, with one thread and without a delegate; with --default-delegate, the budget also covers what LiteRT's default delegate packs. 'python -m tflarena_stream.run manifest.json' runs the segments.

-o svg=PATH draws the memory over time, with the loader, the processor, and where the processor waits. -o html=PATH shows the same in a browser. -o csv=PATH writes a row for each tensor. -o c=PATH writes a table for firmware that says what to copy, where to, and after which layer.

Examples:
  tflarena stream a.tflite --macs-per-second 30e9 --bandwidth 200M --budget 16M
  tflarena stream memprof.csv --times timeprof.csv --budget 100MiB
  tflarena stream memprof.csv --times timeprof.csv --budget 64MiB -o flexnn=plan
  tflarena stream a.tflite --times t.csv --bandwidth 1G --budget 9M --segments p
  tflarena stream memprof.csv --times timeprof.csv --latency 500ms
  tflarena stream memprof.csv --times timeprof.csv --sweep -o svg=curve.svg`

func (p *program) streamCommand() *cli.Command {
	return &cli.Command{
		Name: "stream", ArgsUsage: "MODEL|MEMPROF.csv",
		Usage:       "load weights ahead, in a budget of memory",
		UsageText:   "tflarena stream [flags] MODEL|MEMPROF.csv --budget SIZE",
		Description: streamDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "budget", Category: groupBudget, Usage: "plan within `SIZE` bytes, such as 100MiB"},
			&cli.DurationFlag{Name: "latency", Category: groupBudget, DefaultText: "none", Usage: "find the least memory for a run of `TIME`, such as 500ms"},
			&cli.BoolFlag{Name: "sweep", Category: groupBudget, Usage: "plan in many budgets"},
			&cli.IntFlag{Name: "points", Value: 12, Category: groupBudget, Usage: "the number `N` of budgets of --sweep"},
			&cli.StringFlag{Name: "times", Category: groupPlan, Usage: "read how long layers load and compute from `FILE`"},
			&cli.StringFlag{Name: "strategy", Value: stream.Best, Category: groupPlan, Usage: "plan by `NAME`: " + marked(stream.Strategies(), stream.Best)},
			&cli.StringFlag{Name: "macs-per-second", Category: groupPlan, Usage: "a model computes `N` multiply-accumulates per second, such as 30e9 or 30G"},
			&cli.StringFlag{Name: "bandwidth", Category: groupPlan, Usage: "weights of a model are read at `SIZE` per second, such as 200MiB or 2e8"},
			&cli.DurationFlag{Name: "read-latency", Category: groupPlan, DefaultText: "none", Usage: "each read of a weight takes `TIME` in addition"},
			&cli.StringFlag{Name: "slice", Category: groupPlan, Usage: "cut layers of a model with weights above `SIZE` by output channels, such as 4MiB"},
			&cli.StringFlag{Name: "segments", Category: groupOutput, Usage: "cut the model into files in the folder `DIR`"},
			&cli.BoolFlag{Name: delegateFlag, Category: groupPlan, Usage: "segments run with LiteRT's default delegate, XNNPACK"},
			limitFlag("stream"),
			&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "use random numbers of seed `N`"},
		}, outputFlags(streamFormats, topFlag(10), allFlag())...),
		Action: p.stream,
	}
}

// delegateFlag makes segments run with the default delegate of LiteRT.
const delegateFlag = "default-delegate"

// streamQuestion is the request of a stream command line: one of the three.
type streamQuestion struct {
	budget  int64
	rates   litert.Rates
	slice   int64 // 0 for none
	sliced  litert.Slices
	sweep   bool
	options stream.Options
}

// askedStream reads the flags that set the request.
func askedStream(c *cli.Context) (q streamQuestion, err error) {
	if c.NArg() != 1 {
		return q, usagef("stream takes one model or memory profile, not %d", c.NArg())
	}
	var given []string
	for _, flag := range []string{"budget", "latency", "sweep"} {
		if c.IsSet(flag) {
			given = append(given, "--"+flag)
		}
	}
	switch {
	case len(given) == 0:
		return q, usagef("stream: say in how much memory: --budget SIZE, --latency TIME, or --sweep")
	case len(given) > 1:
		return q, usagef("stream: %s ask different questions: use only one of them", strings.Join(given, " and "))
	case c.IsSet("latency") && c.Duration("latency") < 0:
		return q, usagef("--latency %s: use a time of at least zero, such as 500ms", c.Duration("latency"))
	case c.Int("points") < 2 || c.Int("points") > 1000:
		return q, usagef("--points %d: use a number from 2 to 1000", c.Int("points"))
	}
	if q.rates, err = ratesOf(c); err != nil {
		return q, err
	}
	if c.IsSet("budget") {
		if q.budget, err = sizeOf(c, "budget", 0); err != nil {
			return q, err
		}
	}
	if err := chosen("--strategy", c.String("strategy"), stream.Strategies()); err != nil {
		return q, err
	}
	if c.IsSet("slice") && asksProfiles(c) {
		return q, usagef("--slice cuts the layers of a model, and a profile has no model: leave --slice out")
	}
	if c.IsSet("slice") {
		if q.slice, err = sizeOf(c, "slice", 1); err != nil {
			return q, err
		}
	}
	if c.Bool(delegateFlag) && !c.IsSet("segments") {
		return q, usagef("--%s is for segments: add --segments DIR, or leave it out", delegateFlag)
	}
	if c.IsSet("segments") && (asksProfiles(c) || !c.IsSet("budget")) {
		return q, usagef("--segments cuts a model for one budget: name a model and --budget SIZE")
	}
	if c.String("strategy") != stream.Best && !c.IsSet("budget") {
		return q, usagef("--strategy is for one budget: add --budget SIZE, or leave --strategy out")
	}
	q.sweep = c.Bool("sweep")
	q.options = stream.Options{Strategy: c.String("strategy"), Seed: c.Uint64("seed")}
	if c.IsSet("time-limit") && !q.sweep {
		q.options.SearchNodes = 1 << 50 // only the time ends the search
	}
	return q, nil
}
