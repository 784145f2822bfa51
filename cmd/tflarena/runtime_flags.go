package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// shareFlag enables in-place sharing in LiteRT. It was once called --in-place, now the flag of rewrite
// for replacing a file.
const shareFlag = "share-in-place"

// runtimeFlags select the runtime of a model.
func runtimeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "runtime", Aliases: []string{"r"}, Value: rules.Names()[0], Category: groupRules,
			Usage: "see the model as `NAME`: " + marked(rules.Names(), rules.Names()[0]),
		},
		&cli.IntFlag{
			Name: "subgraph", Value: -1, DefaultText: "all or 0", Category: groupRules,
			Usage: "plan subgraph `N` alone",
		},
		&cli.BoolFlag{
			Name: shareFlag, Category: groupRules,
			Usage: "let outputs take inputs' places, as LiteRT may",
		},
	}
}

// runtimeFlagSet returns the first of [runtimeFlags] that the command line sets, or "".
func runtimeFlagSet(c *cli.Context) string {
	for _, f := range runtimeFlags() {
		if c.IsSet(f.Names()[0]) {
			return dashed(f.Names()[0])
		}
	}
	return ""
}

// modelFlagSet returns the first of the model flags that the command line sets, or "".
func modelFlagSet(c *cli.Context) string {
	for _, f := range append(runtimeFlags(), scratchFlags(scratchReference)...) {
		if c.IsSet(f.Names()[0]) {
			return dashed(f.Names()[0])
		}
	}
	return ""
}

// ruleSet returns the rule set of the flags.
func ruleSet(c *cli.Context) (rules.Rules, error) {
	r, err := runtimeOf(c.String("runtime"))
	if err != nil {
		return r, err
	}
	d, err := deviceOf(c)
	if err != nil {
		return r, err
	}
	if c.Bool(shareFlag) && !r.IsLiteRT() {
		return r, usagef("--%s is a switch of LiteRT: use it with --runtime litert", shareFlag)
	}
	if n := c.Int("subgraph"); c.IsSet("subgraph") && n < 0 {
		return r, usagef("--subgraph %d: subgraphs count from 0, which is the first", n)
	}
	r.InPlace = c.Bool(shareFlag)
	if r.IsMicro() {
		r = r.On(d)
	}
	return r, nil
}

// describeRuntimes lists the contents of each rule set for help.
func describeRuntimes() string {
	var b strings.Builder
	for _, name := range rules.Names() {
		r, err := rules.Lookup(name)
		if err != nil {
			continue // Names and Lookup read one table
		}
		fmt.Fprintf(&b, "  %-7s %s\n", name, filled(r.Title+", "+r.Source, 10))
		for _, line := range r.Includes() {
			fmt.Fprintf(&b, "          - %s\n", filled(line, 12))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
