package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/models"
)

// chosen returns an error unless the value of a flag is one of names.
func chosen(flag, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return usagef("unknown %s %q: %suse %s", flag, value, spelling.Hint(value, names), spelling.List(names, "or"))
}

// strategyFlag names a strategy.
func strategyFlag() cli.Flag {
	return &cli.StringFlag{Name: "strategy", Aliases: []string{"s"}, Value: alloc.Auto, Category: groupPlan, Usage: "plan by `NAME`: see 'help strategies'"}
}

// approaches are the values of --approach.
var approaches = []string{string(alloc.Offsets), string(alloc.Shared), string(textures)}

// strategyOf returns an error that lists the known strategies unless strategy is one of them.
func strategyOf(a alloc.Approach, strategy string) error {
	if err := chosen("--approach", string(a), approaches); err != nil {
		return err
	}
	_, err := alloc.Lookup(a, strategy)
	if err == nil {
		return nil
	}
	hint := spelling.Hint(strategy, strategyNames(a))
	if other := otherApproach(a); slices.Contains(strategyNames(other), strategy) {
		hint = "it is one of --approach " + string(other) + "; "
	}
	return usagef("unknown --strategy %q: %sfor --approach %s there are %s", strategy, hint, a, spelling.List(strategyNames(a), "and"))
}

func otherApproach(a alloc.Approach) alloc.Approach {
	if a == alloc.Shared {
		return alloc.Offsets
	}
	return alloc.Shared
}

func strategyNames(a alloc.Approach) (names []string) {
	for _, s := range alloc.Strategies(a) {
		names = append(names, s.Name)
	}
	return names
}

// networkNames returns the names of the built-in networks: float ones first, then integer ones.
func networkNames() (names []string) {
	list := models.List()
	for _, n := range list {
		names = append(names, n.Name)
	}
	for _, n := range list {
		names = append(names, n.Name+models.Int8)
	}
	return names
}

// knownNetwork returns an error unless a built-in network has the name.
func knownNetwork(network string) error {
	names := networkNames()
	if slices.Contains(names, network) {
		return nil
	}
	return usagef("no network is called %q: %s'%s models list' shows all", network, spelling.Hint(network, names), name)
}

// sizeOf reads a flag in bytes with a minimum.
func sizeOf(c *cli.Context, flag string, least int64) (int64, error) {
	return parseSize(flag, c.String(flag), least)
}

// parseSize reads a value of a flag in bytes with a minimum.
func parseSize(flag, text string, least int64) (int64, error) {
	n, err := units.Parse(text)
	switch {
	case err != nil:
		return 0, usagef("--%s: %v", flag, err)
	case n < least:
		return 0, usagef("--%s %s: use a size of at least %s, such as 65536 or 64KiB", flag, text, units.Bytes(least))
	}
	return n, nil
}

// budgetFlags are flags for the memory of a model, which is hardly ever below 1 KiB.
var budgetFlags = []string{"max-arena", "max-head", "max-tensor", "arena", "head", "budget", onChipFlag}

// askSmallSizes asks about budgets below 1 KiB without a unit, in which K may be missing.
func (p *program) askSmallSizes(c *cli.Context) {
	for _, flag := range budgetFlags {
		for _, text := range append(c.StringSlice(flag), c.String(flag)) {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 && n < 1024 && !p.quiet {
				p.tell(fmt.Sprintf("note: --%s %s is %s: did you mean %sK?", flag, text, units.Bytes(n), text))
			}
		}
	}
}

// sizesOf reads a flag that may be repeated, in bytes. The sizes are ascending, and each occurs once.
func sizesOf(c *cli.Context, flag string) ([]int64, error) {
	var sizes []int64
	for _, text := range c.StringSlice(flag) {
		n, err := parseSize(flag, text, 0)
		if err != nil && strings.Contains(text, ",") {
			return nil, usagef("%v; repeat --%s for several sizes", err, flag)
		}
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes), nil
}
