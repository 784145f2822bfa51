package main

import (
	"github.com/urfave/cli/v2"
)

// exactly is the only value of --substitute: rules whose outputs are bit-identical.
const exactly = "exact"

func substituteFlag() cli.Flag {
	return &cli.StringFlag{Name: "substitute", Category: groupPlan, Usage: "use cheaper operators with the `SAME` outputs: exact"}
}

func ndebugFlag() cli.Flag {
	return &cli.BoolFlag{Name: "ndebug", Category: groupPlan, Usage: "assume a build without assertions"}
}

// substitutions reads --substitute and --ndebug. Other reports another flag for which --ndebug is.
func substitutions(c *cli.Context, other bool) (substitute, noAssertions bool, err error) {
	substitute, noAssertions = c.IsSet("substitute"), c.Bool("ndebug")
	if substitute {
		err = chosen("--substitute", c.String("substitute"), []string{exactly})
	} else if noAssertions && !other {
		err = usagef("--ndebug says which operators --substitute may use: use both")
	}
	return substitute, noAssertions, err
}
