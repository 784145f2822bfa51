package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// allowFaultsFlag is the flag of commands that fail on models with wrong results.
func allowFaultsFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-faults", Category: groupRules, Usage: usage}
}

// allowFaults applies --allow-faults to faults: wrong results become warnings; a model that does not
// run still fails.
func allowFaults(c *cli.Context, list []rules.Fault) []rules.Fault {
	if !c.Bool("allow-faults") {
		return list
	}
	allowed := append([]rules.Fault{}, list...)
	for i := range allowed {
		allowed[i].Fails = allowed[i].Stops()
	}
	return allowed
}

// refuseFaults returns an error for a model that does not run or computes wrong results, unless
// --allow-faults is set.
func refuseFaults(c *cli.Context, m *tflite.Model, device rules.Device) error {
	err := remarks.RefuseFaults(m, device)
	if err == nil || c.Bool("allow-faults") {
		return nil
	}
	return named(m.Name, fmt.Errorf("%w; nothing was written; --allow-faults writes a model anyway", err))
}
