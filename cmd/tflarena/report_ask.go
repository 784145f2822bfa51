package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// A reportAsk is the options of a report.
type reportAsk struct {
	rules rules.Rules
	alias rules.Alias
	// fit is the budget that models are fitted into, or nil.
	fit *fit.Goal
}

// reportAsked reads the flags of "report".
func (p *program) reportAsked(c *cli.Context) (*reportAsk, error) {
	if !c.Args().Present() {
		return nil, usagef("report: no model given: name a .tflite file, - for standard input, or %sNAME", builtinPrefix)
	}
	ask := &reportAsk{}
	var err error
	if ask.rules, err = ruleSet(c); err != nil {
		return nil, err
	}
	if ask.alias, err = aliasOf(c); err != nil {
		return nil, err
	}
	if err := scratchForMicro(c, ask.rules); err != nil {
		return nil, err
	}
	if source := c.String("scratch"); !isScratchWord(source) {
		return nil, usagef("--scratch %q: report makes new models, whose operators no file can know: use reference or none", source)
	}
	if !ask.rules.IsMicro() {
		for _, flag := range []string{"arena", "head", "alias"} {
			if c.IsSet(flag) {
				return nil, usagef("%s is for TensorFlow Lite Micro: leave it out, or use --runtime %s", dashed(flag), rules.Micro().Name)
			}
		}
		return ask, nil
	}
	if !c.IsSet("arena") && !c.IsSet("head") {
		return ask, nil
	}
	goal, err := fitBudget(c)
	ask.fit = &goal
	return ask, err
}

// fitBudget reads the flags shared by commands that fit a model into a budget.
func fitBudget(c *cli.Context) (g fit.Goal, err error) {
	if g.Device, err = deviceOf(c); err != nil {
		return g, err
	}
	if g.Alias, err = fitAlias(c); err != nil {
		return g, err
	}
	if g.Budget, err = memoryBudget(c, "arena"); err != nil {
		return g, err
	}
	if g.HeadBudget, err = memoryBudget(c, "head"); err != nil {
		return g, err
	}
	g.MaxOverhead = -1
	return g, nil
}
