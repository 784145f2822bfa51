package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// fitGoal reads the flags that set the goal of fit.
func fitGoal(c *cli.Context) (g fit.Goal, err error) {
	switch n := c.NArg(); {
	case n == 0:
		return g, usagef("fit: no model given: name a .tflite file, or - for standard input")
	case n > 1:
		return g, usagef("fit: %d models given, but fit takes one: run it once for each", n)
	case c.Bool("least") && (c.IsSet("arena") || c.IsSet("head")):
		return g, usagef("--least looks for the least head, whatever the budget: leave --least out, or --arena and --head")
	}
	if g, err = fitBudget(c); err != nil {
		return g, err
	}
	g.Force = c.Bool("force")
	if text := c.String("max-overhead"); c.IsSet("max-overhead") {
		percent, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "%"), 64)
		if err != nil || percent < 0 || percent > 1e6 {
			return g, usagef("--max-overhead %q: use a percentage, such as 5%%", text)
		}
		g.MaxOverhead = percent / 100
	}
	return g, nil
}

// autoAlias is the --alias of fit that tries all levels in order.
const autoAlias = "auto"

// fitAlias reads --alias; auto is the highest level.
func fitAlias(c *cli.Context) (rules.Alias, error) {
	if c.String("alias") == autoAlias {
		all := rules.Aliases()
		return all[len(all)-1], nil
	}
	return rules.Alias(c.String("alias")), chosen("--alias", c.String("alias"), append(texts(rules.AllAliases()), autoAlias))
}

// memoryBudget reads a flag that bounds memory in bytes: zero if it is not set.
func memoryBudget(c *cli.Context, flag string) (int64, error) {
	if !c.IsSet(flag) {
		return 0, nil
	}
	return sizeOf(c, flag, 1)
}

// fitOutputs reads the outputs of the model and the report.
func (p *program) fitOutputs(c *cli.Context) ([]output.Spec, error) {
	specs, err := output.ParseModel(outputTexts(c), rewriteFormats, inputs(c), output.AnotherPath)
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		if holdsModel(s) {
			return specs, p.apart(c, specs)
		}
	}
	return nil, usagef("fit: no output given: name the new file with -o OUT")
}

// heldArena returns the arena budget, or the required arena without one.
func heldArena(goal fit.Goal, report *fit.Report) int64 {
	if goal.Budget > 0 {
		return goal.Budget
	}
	return report.Rungs[report.Best].Stated().Required
}
