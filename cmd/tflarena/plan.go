package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
)

// planFormats are the report of the command, and all forms in which others read a plan.
var planFormats = append(append([]string{"json"}, export.Names()...), casesFormat)

const planDescription = `Makes one plan for a model, for a CSV problem in MiniMalloc's form, or for a problem of tiles. 'tflarena help problems' says what such files have; -o csv=PATH writes the rows of a problem with their offsets.

With --shape, inputs have other shapes than in the file, and all other tensors have the shapes that follow, as after resize_tensor_input in LiteRT. Several shapes of an input are planned one after the other: the largest plan is good for all.

The head of a model is what TensorFlow Lite Micro plans: its tensors, and the scratch of the reference kernels unless --kernels or --scratch says otherwise. --scratch none plans the tensors alone. The other runtimes plan no scratch, and a CSV problem has none.

For programs that cannot take a plan from the metadata of a model, -o header=PATH (or PATH.h) writes it as C constants, and -o bufferplan=PATH as the BufferPlan of TensorFlow Lite Micro's NonPersistentMemoryPlannerShim. Every format has a place for each tensor, also for those that share memory under --alias; JSON says which tensor lies on which other one, and at which distance.

-o svg=PATH, png= and pdf= draw the plan, -o trace=PATH is for Perfetto, and -o model-explorer=PATH for Google's Model Explorer: see 'tflarena help pictures'. For another opinion, -o lp=PATH and -o mps=PATH write the problem as an integer program for CBC, GLPK and other solvers, with this plan's total as an upper limit. --solution reads back what CBC's command "solution" or glpsol --write makes of it. The plan is checked; what the solver says that it has proven is not.

The default strategy, auto, takes the best plan of the quick strategies. If that is not proven to be the smallest, auto searches for a second; the strategy exact searches until it knows. Both end with the best plan so far at --time-limit, or at Ctrl-C.

With --capacity the exit code is the answer: 0 it fits; 4 it cannot fit, with the proof and a few tensors that need too much by themselves; 5 not known. The search for the answer ends after 10 s unless --time-limit says otherwise.

With --alias, an output may use the memory of an input that is not needed after its operator. 'tflarena help alias' says with which kernels that is right.

With --tiles, operators are computed step by step by a processor that has --on-chip SIZE for what a step reads and writes, and the plan is that of the memory off chip. 'tflarena help tiles' says more.

Examples:
  tflarena plan model.tflite -o plan.json -o map.svg
  tflarena plan problem.csv --strategy greedy-by-size -o csv=-
  tflarena plan problem.csv --capacity 1M --time-limit 10s
  tflarena plan model.tflite --scratch sizes.csv -o bufferplan=plan.h
  tflarena plan problem.csv -o lp=p.lp && cbc p.lp solve solution p.txt
  tflarena plan problem.csv --solution p.txt
  tflarena plan model.tflite --tiles --on-chip 256K -o live.svg`

func (p *program) planCommand() *cli.Command {
	flags := append(runtimeFlags(), []cli.Flag{
		&cli.StringFlag{
			Name: "approach", Aliases: []string{"a"}, Value: string(alloc.Offsets), Category: groupPlan,
			Usage: "plan `KIND`: offsets (default), shared, textures",
		},
		&cli.StringFlag{
			Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan,
			Usage: "`NAME`: see 'tflarena help strategies'",
		},
		&cli.StringFlag{Name: "align", DefaultText: "runtime's", Category: groupPlan, Usage: "offsets at multiples of `SIZE`"},
		&cli.StringFlag{Name: "capacity", Category: groupPlan, Usage: "say whether the plan fits into `SIZE`, such as 128K"},
		solutionFlag(),
		tilesFlag(),
		limitFlag(oneSecond),
		&cli.BoolFlag{Name: "waves", Category: groupPlan, Usage: "plan each time sizes become known (column known_at)"},
		&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "use random numbers of seed `N` to search"},
	}...)
	flags = append(flags, tilingFlags()...)
	flags = append(flags, briefly(aliasFlag(), "`WHICH`: see 'tflarena help alias'"), shapeFlag())
	flags = append(flags, scratchFlags(scratchReference)...)
	return &cli.Command{
		Name: "plan", ArgsUsage: "MODEL|PROBLEM.csv|TILES.json|-",
		Usage:       "one plan for a model, a CSV problem or a problem of tiles",
		UsageText:   "tflarena plan [flags] MODEL|PROBLEM.csv|TILES.json|-",
		Description: planDescription,
		Flags:       append(flags, outputFlags(planFormats, topFlag(200), allFlag())...),
		Action:      p.plan,
	}
}

// describeStrategies lists for help what there is.
func describeStrategies() string {
	var b strings.Builder
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		fmt.Fprintf(&b, "With --approach %s:\n", a)
		for _, s := range alloc.Strategies(a) {
			fmt.Fprintf(&b, "  %-24s %s\n", s.Name, filled(s.Summary, 27))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
