package main

import (
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

// defaultLimits has the default of each command with a time limit.
var defaultLimits = map[string]defaultLimit{
	"analyze": {whole: alloc.DefaultSearchTime, search: alloc.DefaultSearchTime, help: "1s a model"},
	"compare": {whole: alloc.DefaultSearchTime, search: alloc.DefaultSearchTime, help: "1s a file"},
	"plan":    {search: alloc.DefaultSearchTime, help: "1s"},
	"replay":  {search: alloc.DefaultSearchTime, help: "1s a search"},
	"report":  {search: alloc.DefaultSearchTime, help: "1s a search"},
	"rewrite": {help: "none"},
	"fit":     {help: "none; 10s without a budget"},
	"stream":  {help: "none"},
}

func limitFlag(command string) cli.Flag {
	return &cli.DurationFlag{Name: timeLimitFlag, Category: groupPlan, DefaultText: defaultLimits[command].help, Usage: "stop after `TIME` with the best so far"}
}

// limitOf returns the limit that ended the work of a command: the flag, or a default.
func limitOf(c *cli.Context) time.Duration {
	limit := defaultLimits[c.Command.Name]
	for _, t := range []time.Duration{c.Duration(timeLimitFlag), limit.whole, limit.search} {
		if t > 0 {
			return t
		}
	}
	return 0
}

// searchTime returns the time limit for improving a plan that is not proven optimal.
func searchTime(c *cli.Context) time.Duration {
	if limit := c.Duration(timeLimitFlag); limit > 0 {
		return limit
	}
	return alloc.DefaultSearchTime
}

// checkLimit rejects a time limit that is not positive.
func checkLimit(c *cli.Context) error {
	if limit := c.Duration(timeLimitFlag); limit < 0 || limit == 0 && c.IsSet(timeLimitFlag) {
		return usagef("--time-limit %s: use a time above zero, such as 10s", limit)
	}
	return nil
}

// byDefault begins a default limit. Tests have defaults without a clock, so that output does not depend
// on the machine.
var byDefault = context.WithTimeout

// limited returns a context that ends with the time limit, or after the usual time without one. Zero
// means no usual time.
func limited(ctx context.Context, c *cli.Context, usual time.Duration) (context.Context, context.CancelFunc) {
	if limit := c.Duration(timeLimitFlag); limit > 0 {
		return context.WithTimeout(ctx, limit)
	}
	if usual > 0 {
		return context.WithTimeout(ctx, usual)
	}
	return ctx, func() {}
}

// limitedInput returns a context that ends after the default time for one input, or ctx if there is a
// time limit, which is for all inputs.
func limitedInput(ctx context.Context, c *cli.Context) (context.Context, context.CancelFunc) {
	if usual := defaultLimits[c.Command.Name].whole; usual > 0 && !c.IsSet(timeLimitFlag) {
		return byDefault(ctx, usual)
	}
	return context.WithCancel(ctx)
}
