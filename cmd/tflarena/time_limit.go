package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
)

// oneSecond says which time limit applies by default where auto plans.
const oneSecond = "1s"

func limitFlag(byDefault string) cli.Flag {
	return &cli.DurationFlag{Name: "time-limit", Category: groupPlan, DefaultText: byDefault, Usage: "stop after `TIME` with the best so far"}
}

// searchTime returns how long a plan that is not proven optimal is searched for a better
// one.
func searchTime(c *cli.Context) time.Duration {
	if limit := c.Duration("time-limit"); limit > 0 {
		return limit
	}
	return alloc.DefaultSearchTime
}

// limited returns a context that ends with the time limit.
func limited(c *cli.Context) (context.Context, context.CancelFunc, error) {
	limit := c.Duration("time-limit")
	switch {
	case limit < 0 || limit == 0 && c.IsSet("time-limit"):
		return nil, nil, usagef("--time-limit %s: use a time above zero, such as 10s", limit)
	case limit == 0:
		return c.Context, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(c.Context, limit)
	return ctx, cancel, nil
}
