package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
)

// planFormats are the report of the command, and all forms in which others read a plan.
var planFormats = append([]string{"json"}, export.Names()...)

const planDescription = `Makes one plan of a model, or of a CSV problem in MiniMalloc's form: a header
row with the columns id, lower, upper (exclusive) or end (inclusive), size, and
perhaps alignment, offset (a buffer that is pinned there) and gaps (times a-b in
which it holds nothing, or a-b@lo:hi for only some bytes). Buffers of a problem
are planned at alignment 1 unless --align or a column says otherwise;
-o csv=PATH writes the same rows with their offsets.

With --shape, inputs have other shapes than in the file, and all other tensors what
follows from that, as after resize_tensor_input in LiteRT. Several shapes of an input
are planned one after the other: the largest plan is good for all.

With --approach textures, rows have a width, a height and perhaps a depth, and share
objects of such shapes by the strategies naive, equality, greedy-in-order (those of
the GPU delegate), growing, exact and auto; growing makes objects larger.

With --waves, a column known_at says from which position on a size is known (an
empty cell: from the start). What is in use keeps its place, all else is planned anew
each time; the report compares that with all sizes known at once, and with no plan.

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
  tflarena plan model.tflite -o plan.json -o map.svg
  tflarena plan problem.csv --strategy greedy-by-size -o csv=-
  tflarena plan problem.csv --capacity 1M --time-limit 10s
  tflarena plan model.tflite --scratch sizes.csv -o bufferplan=plan.h
  tflarena plan problem.csv -o lp=p.lp && cbc p.lp solve solution p.txt
  tflarena plan problem.csv --solution p.txt
  tflarena plan late.csv --waves
  tflarena plan - -o csv=- < problem.csv`

func (p *program) planCommand() *cli.Command {
	flags := append(runtimeFlags(), []cli.Flag{
		&cli.StringFlag{
			Name: "approach", Aliases: []string{"a"}, Value: string(alloc.Offsets), Category: groupPlan,
			Usage: "plan `KIND`: offsets (default), shared, textures",
		},
		&cli.StringFlag{
			Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan,
			Usage: "plan with `NAME`: see 'tflarena help strategies'",
		},
		&cli.StringFlag{Name: "align", DefaultText: "runtime's", Category: groupPlan, Usage: "place tensors at multiples of `SIZE`"},
		&cli.StringFlag{Name: "capacity", Category: groupPlan, Usage: "say whether the plan fits into `SIZE`, such as 128K"},
		solutionFlag(),
		limitFlag("1s"),
		&cli.BoolFlag{Name: "waves", Category: groupPlan, Usage: "plan each time sizes become known (column known_at)"},
		&cli.Uint64Flag{Name: "seed", Category: groupPlan, Usage: "search with random numbers of seed `N`"},
	}...)
	flags = append(flags, aliasFlag(), shapeFlag())
	scratch := scratchFlags(scratchNone)
	scratch[0].(*cli.StringFlag).Usage = "count kernel scratch of a CSV `FILE`, reference (default for C), or none (default)"
	flags = append(flags, scratch...)
	return &cli.Command{
		Name: "plan", ArgsUsage: "MODEL|PROBLEM.csv|-",
		Usage:       "one plan for a model or a CSV problem",
		UsageText:   "tflarena plan [flags] MODEL|PROBLEM.csv|-",
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
