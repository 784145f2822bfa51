package main

import (
	"github.com/urfave/cli/v2"
)

// exactly is the only value of --substitute: rules whose outputs are bit-identical.
const exactly = "exact"

func substituteFlag() cli.Flag {
	return &cli.StringFlag{Name: "substitute", Category: groupPlan, Usage: "replace operators by cheaper ones, if the outputs are `SAME`: exact (see 'tflarena help rules')"}
}

func ndebugFlag() cli.Flag {
	return &cli.BoolFlag{Name: "ndebug", Category: groupPlan, Usage: "let --substitute use operators that abort in builds with assertions"}
}

// substitutions reads --substitute and --ndebug.
func substitutions(c *cli.Context) (substitute, noAssertions bool, err error) {
	substitute, noAssertions = c.IsSet("substitute"), c.Bool("ndebug")
	if substitute {
		err = chosen("--substitute", c.String("substitute"), []string{exactly})
	} else if noAssertions {
		err = usagef("--ndebug says which operators --substitute may use: use both")
	}
	return substitute, noAssertions, err
}
