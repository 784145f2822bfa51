package main

import (
	"cmp"
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
)

// A defaultLimit applies without --time-limit.
type defaultLimit struct {
	// whole is the time for one input, without reading. Zero means no limit: the searches end by
	// themselves.
	whole time.Duration
	// search is the time for each exact search for a plan. Zero means no timed search.
	search time.Duration
	// help is the default as shown in help.
	help string
}

const timeLimitFlag = "time-limit"

// analysisTime is the default time for a model in "analyze": a second for plans, and twice that for an
// order and a tiled model, whose searches end by themselves in less on most machines.
const analysisTime = 3 * alloc.DefaultSearchTime

// defaultLimits has the default of each command with a time limit.
var defaultLimits = map[string]defaultLimit{
	"analyze": {whole: analysisTime, help: "3s a model"},
	"compare": {whole: alloc.DefaultSearchTime, search: alloc.DefaultSearchTime, help: "1s a file"},
	"plan":    {search: alloc.DefaultSearchTime, help: "1s"},
	"replay":  {search: alloc.DefaultSearchTime, help: "1s a search"},
	"report":  {search: alloc.DefaultSearchTime, help: "1s a search"},
	"rewrite": {help: "none"},
	"fit":     {whole: fitTime, help: "10s; 12s for a budget"},
	"stream":  {help: "none"},
}

func limitFlag(command string) cli.Flag {
	return &cli.DurationFlag{Name: timeLimitFlag, Category: groupPlan, DefaultText: defaultLimits[command].help, Usage: "stop after `TIME` with the best so far"}
}

// A timeLimit is the time limit of a command line.
type timeLimit struct {
	// asked is the value of the flag; zero without it.
	asked time.Duration
	// usual is the default of the command.
	usual defaultLimit
}

// timeLimitOf reads the time limit, which has to be positive.
func timeLimitOf(c *cli.Context) (timeLimit, error) {
	l := timeLimit{c.Duration(timeLimitFlag), defaultLimits[c.Command.Name]}
	if l.asked < 0 || l.asked == 0 && c.IsSet(timeLimitFlag) {
		return l, usagef("--time-limit %s: use a time above zero, such as 10s", l.asked)
	}
	return l, nil
}

// ending returns the limit that ended the work: the flag, or a default.
func (l timeLimit) ending() time.Duration { return cmp.Or(l.asked, l.usual.whole, l.usual.search) }

// search returns the time for improving a plan that is not proven optimal.
func (l timeLimit) search() time.Duration { return cmp.Or(l.asked, alloc.DefaultSearchTime) }

// byDefault begins a default limit. Tests have defaults without a clock, so that output does not depend
// on the machine.
var byDefault = context.WithTimeout

// within returns a context that ends with the time limit, or after the usual time without one. Zero
// means no usual time.
func (l timeLimit) within(ctx context.Context, usual time.Duration) (context.Context, context.CancelFunc) {
	switch {
	case l.asked > 0:
		return context.WithTimeout(ctx, l.asked)
	case usual > 0:
		return byDefault(ctx, usual)
	}
	return ctx, func() {}
}

// perInput returns a context that ends after the default time for one input, or ctx if there is a time
// limit, which is for all inputs.
func (l timeLimit) perInput(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.usual.whole > 0 && l.asked == 0 {
		return byDefault(ctx, l.usual.whole)
	}
	return context.WithCancel(ctx)
}
