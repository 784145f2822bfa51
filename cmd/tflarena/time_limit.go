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

// checkLimit refuses a time limit in which nothing can be done.
func checkLimit(c *cli.Context) error {
	if limit := c.Duration("time-limit"); limit < 0 || limit == 0 && c.IsSet("time-limit") {
		return usagef("--time-limit %s: use a time above zero, such as 10s", limit)
	}
	return nil
}

// limited returns a context that ends with the time limit, and after the usual time where none is
// given. Zero stands for no usual time.
func limited(ctx context.Context, c *cli.Context, usual time.Duration) (context.Context, context.CancelFunc) {
	limit := c.Duration("time-limit")
	if limit == 0 {
		limit = usual
	}
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}
