package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// planFormats are the report of the command, and all export formats.
var planFormats = append(append([]string{"json"}, export.Names()...), casesFormat, htmlFormat)

const planDescription = `Makes one plan for a model, for a CSV problem in MiniMalloc's form, or for a problem of tiles. 'tflarena help problems' describes these files; -o csv=PATH writes the rows of a problem with their offsets.

With --shape, inputs have other shapes than in the file, and all other tensors have the shapes that follow from them, as after resize_tensor_input in LiteRT. With several shapes for an input, the largest plan fits all.

The head of a model is what TensorFlow Lite Micro plans: its tensors, and the scratch of the reference kernels unless --kernels or --scratch says otherwise. --scratch none plans the tensors alone. The other runtimes plan no scratch, and a CSV problem has none.

For programs that cannot take a plan from the metadata of a model, -o header=PATH (or PATH.h) writes it as C constants, and -o bufferplan=PATH as the BufferPlan of TensorFlow Lite Micro's NonPersistentMemoryPlannerShim. Every format has a place for each tensor, also for tensors that share memory with --alias; JSON says which tensor lies over which other one, at which distance.

-o svg=PATH, png= and pdf= draw the plan, -o trace=PATH is for Perfetto, and -o model-explorer=PATH for Google's Model Explorer: see 'tflarena help pictures'. For a second opinion, -o lp=PATH and -o mps=PATH write the problem as an integer program for CBC, GLPK and other solvers, with this plan's total as an upper limit. --solution reads the answer that CBC's command "solution" or glpsol --write has written. The plan is checked; the solver's proof is not.

The default strategy, auto, takes the best plan of the quick strategies. If that is not proven to be the smallest, auto searches for a second; the strategy exact searches until it has a proof. --time-limit or Ctrl-C ends both, with the best plan so far.

With --capacity, the exit code is the answer: 0 if it fits; 4 if it cannot fit, with the proof and a few tensors that need too much by themselves; 5 if it is not known. The search for the answer ends after 10 s unless --time-limit says otherwise.

With --alias, outputs may use the memory of inputs that are not needed after their operator: 'tflarena help alias' says with which kernels that is right. With --cache, the plan is the one with the fewest cache misses that a search finds among those of the same total: see 'tflarena help cache'. With --tiles, a processor computes operators step by step, with --on-chip SIZE for what a step reads and writes, and the plan is for the memory off chip: see 'tflarena help tiles'.

Examples:
  tflarena plan model.tflite -o plan.json -o map.svg
  tflarena plan problem.csv --strategy greedy-by-size -o csv=-
  tflarena plan problem.csv -o lp=p.lp && cbc p.lp solve solution p.txt
  tflarena plan problem.csv --solution p.txt
  tflarena plan model.tflite --tiles --on-chip 256K -o live.svg`

func (p *program) planCommand() *cli.Command {
	flags := append(runtimeFlags(), []cli.Flag{
		&cli.StringFlag{
			Name: "approach", Aliases: []string{"a"}, Value: string(alloc.Offsets), Category: groupPlan,
			Usage: "plan `KIND`: " + marked(approaches, string(alloc.Offsets)),
		},
		strategyFlag(),
		&cli.StringFlag{Name: "align", DefaultText: "runtime's", Category: groupPlan, Usage: "offsets at multiples of `SIZE`"},
		&cli.StringFlag{Name: "capacity", Category: groupPlan, Usage: "decide whether `SIZE` suffices, such as 128K"},
		&cli.StringFlag{Name: "solution", Category: groupPlan, Usage: "read the plan from `FILE`, a solver's answer"},
		cacheFlag(),
		tilesFlag(),
		limitFlag("plan"),
		&cli.BoolFlag{Name: "waves", Category: groupPlan, Usage: "plan again whenever sizes become known"},
		&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "seed the random search with `N`"},
	}...)
	flags = append(flags, tileFlags()...)
	flags = append(flags, briefly(aliasFlag(), "in-place outputs `WHICH`: 'help alias'"), shapeFlag())
	flags = append(flags, scratchFlags()...)
	return &cli.Command{
		Name: "plan", ArgsUsage: "MODEL|PROBLEM.csv|TILES.json|-",
		Usage:       "plan the memory of a model, a CSV problem or a problem of tiles",
		UsageText:   "tflarena plan [flags] MODEL|PROBLEM.csv|TILES.json|-",
		Description: planDescription,
		Flags:       append(flags, outputFlags(planFormats, topFlag(200), allFlag())...),
		Action:      p.plan,
	}
}

// planFlags are the options of "plan".
type planFlags struct {
	runtimeChoice
	// Options are those of strategies, and capacity is in bytes, or -1.
	alloc.Options
	capacity int64
	// solution is the file of a solver's answer, or "", and waves plans each time sizes become known.
	solution string
	waves    bool
	// cache is the cache in which misses are saved, or nil.
	cache *cache.Geometry
	// align is in bytes, or 0 for the runtime's, and alias is the permitted level of sharing.
	align int64
	alias rules.Alias
	// shapes are the shapes of inputs, one after another.
	shapes []map[string][]int32
	// tiles are the options of a model that is computed tile by tile, or nil, and semantics those of steps.
	tiles     *tilingFlags
	semantics lifetime.Semantics
	// again are the flags that give the same plan by another strategy.
	again []string
	// ofRuntime, ofWhole and ofTiles are the first flags given that are only for models, for whole tensors
	// and for tiles, or "".
	ofRuntime, ofWhole, ofTiles string
}

func (p *program) planFlags(c *cli.Context) (f *planFlags, in *invocation, err error) {
	f = &planFlags{
		capacity: -1, solution: c.String("solution"), waves: c.Bool("waves"), ofRuntime: firstSet(c, namesOf(runtimeFlags())...),
		ofWhole: firstSet(c, "solution", cacheFlagName, "alias", "scratch", "kernels"), ofTiles: firstSet(c, semanticsFlag), semantics: lifetime.Semantics(c.String(semanticsFlag)),
		again:   again(c, "approach", "strategy", timeLimitFlag, cacheFlagName),
		Options: alloc.Options{Approach: alloc.Approach(c.String("approach")), Strategy: c.String("strategy"), Seed: c.Uint64("seed")},
	}
	formats := []string{jsonFormat}
	if f.Approach == textures {
		f.shapes, err = textureFlags(c)
	} else if f.shapes, err = shapesOf(c); err == nil {
		err = f.readOptions(c)
	}
	if err != nil {
		return nil, nil, err
	}
	single := f.Approach != textures && len(f.shapes) < 2
	if single {
		formats = planFormats
	}
	if in, err = p.invocation(c, p.outputs(formats)); err != nil {
		return nil, nil, err
	}
	if f.Strategy == alloc.Auto {
		f.SearchTime = p.limit.search()
	}
	if c.IsSet("align") {
		if f.align, err = sizeOf(c, "align", 1); err != nil {
			return nil, nil, err
		}
	}
	if single {
		if err := checkTiling(c, in.specs); err != nil {
			return nil, nil, err
		}
	}
	if single && c.Bool(tilesFlagName) {
		f.tiles, err = p.tilingOf(c, f)
		return f, in, err
	}
	if f.alias, err = aliasOf(c); err != nil {
		return nil, nil, err
	}
	if f.cache, err = cacheOf(c, f); err != nil {
		return nil, nil, err
	}
	f.runtimeChoice, err = p.runtimeOf(c)
	if f.Approach == textures && !c.IsSet("runtime") {
		f.rules = rules.Paper() // of the GPU delegate, which has the textures
	}
	return f, in, err
}

// readOptions reads the options of strategies.
func (f *planFlags) readOptions(c *cli.Context) (err error) {
	shapes := len(f.shapes)
	switch n := c.NArg(); {
	case n == 0:
		return usagef("plan: no input given: name a .tflite file or a CSV problem, or - for standard input")
	case n > 1:
		return usagef("plan: %d inputs given, but plan takes one; 'tflarena compare' takes many", n)
	case c.IsSet("solution") && f.solution == "":
		return errNoName
	case c.IsSet("solution") && c.IsSet("strategy"):
		return usagef("--solution and --strategy: the plan can come from only one of them: leave the other out")
	}
	if err := strategyOf(f.Approach, f.Strategy); err != nil {
		return err
	}
	if c.IsSet("capacity") {
		if f.capacity, err = sizeOf(c, "capacity", 0); err != nil {
			return err
		}
	}
	switch {
	case shapes < 2:
	case f.capacity >= 0:
		return usagef("plan: --capacity is for one plan, and there are %d shapes: give one shape", shapes)
	case c.Args().First() == stdinPath:
		return usagef("plan: standard input can be read once, and there are %d shapes: name a file", shapes)
	case f.solution != "" || f.waves:
		return usagef("plan: --solution and --waves are for one plan, and there are %d shapes: give one shape", shapes)
	}
	return nil
}

// describeStrategies lists the strategies for help.
func describeStrategies() string {
	var b strings.Builder
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		fmt.Fprintf(&b, "With --approach %s:\n", a)
		for _, s := range alloc.Strategies(a) {
			fmt.Fprintf(&b, "  %-26s  %s\n", s.Name, wrapped(s.Summary, 30))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
