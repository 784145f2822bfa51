package main

import (
	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// allowFaultsFlag is the flag of commands that fail on models with wrong results.
func allowFaultsFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-faults", Category: groupRules, Usage: usage}
}

// allowFaults returns faults of which wrong results only warn; a model that does not run still fails.
func allowFaults(list []rules.Fault) []rules.Fault {
	allowed := slices.Clone(list)
	for i := range allowed {
		allowed[i].Fails = allowed[i].Stops()
	}
	return allowed
}
