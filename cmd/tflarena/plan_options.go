package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
)

// planOptions reads the planning flags. Capacity is -1 if it is not set.
func (p *program) planOptions(c *cli.Context) (o alloc.Options, capacity int64, err error) {
	switch n := c.NArg(); {
	case n == 0:
		return o, -1, usagef("plan: no input given: name a .tflite file or a CSV problem, or - for standard input")
	case n > 1:
		return o, -1, usagef("plan: %d inputs given, but plan takes one; 'tflarena compare' takes many", n)
	}
	if err := checkSolution(c); err != nil {
		return o, -1, err
	}
	o = alloc.Options{Approach: alloc.Approach(c.String("approach")), Strategy: c.String("strategy")}
	o.Seed = c.Uint64("seed")
	if p.limit, err = timeLimitOf(c); err != nil {
		return o, -1, err
	}
	if o.Strategy == alloc.Auto {
		o.SearchTime = p.limit.search()
	}
	if err := strategyOf(o.Approach, o.Strategy); err != nil {
		return o, -1, err
	}
	capacity = -1
	if c.IsSet("capacity") {
		if capacity, err = sizeOf(c, "capacity", 0); err != nil {
			return o, -1, err
		}
	}
	return o, capacity, nil
}
