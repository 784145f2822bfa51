package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/units"
)

const cacheFlagName = "cache"

func cacheFlag() cli.Flag {
	return &cli.StringFlag{Name: cacheFlagName, Category: groupPlan, Usage: "minimise misses in a cache of `SIZE`[,LINE[,WAYS]]"}
}

// cacheOf reads --cache, or returns nil without it. It rejects plans that keep their places.
func cacheOf(c *cli.Context, f *planFlags) (*cache.Geometry, error) {
	text := c.String(cacheFlagName)
	switch {
	case !c.IsSet(cacheFlagName):
		return nil, nil
	case f.Approach != alloc.Offsets:
		return nil, usagef("--%s is for --approach %s: shared objects have no addresses", cacheFlagName, alloc.Offsets)
	case f.waves || f.solution != "" || len(f.shapes) > 1:
		return nil, usagef("--%s is for one plan of a strategy: leave --waves, --solution and further shapes out", cacheFlagName)
	}
	g, err := parseCache(text)
	if err != nil {
		return nil, usagef("--%s %s: %v: use SIZE, SIZE,LINE or SIZE,LINE,WAYS, such as 32K,64,8", cacheFlagName, text, err)
	}
	return g, nil
}

// parseCache reads SIZE[,LINE[,WAYS]].
func parseCache(text string) (*cache.Geometry, error) {
	parts := strings.Split(text, ",")
	if len(parts) > 3 {
		return nil, fmt.Errorf("%d numbers", len(parts))
	}
	g := &cache.Geometry{Line: cache.DefaultLine}
	var err error
	for i, n := range []*int64{&g.Size, &g.Line}[:min(len(parts), 2)] {
		if *n, err = units.Parse(parts[i]); err != nil {
			return nil, err
		}
	}
	if g.Ways = min(cache.DefaultWays, g.Size/max(g.Line, 1)); len(parts) == 3 {
		if g.Ways, err = strconv.ParseInt(parts[2], 10, 64); err != nil {
			return nil, fmt.Errorf("%q is not a number of ways", parts[2])
		}
	}
	return g, g.Check()
}
