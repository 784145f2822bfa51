package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// allowFaultsFlag is the flag of commands that fail on models with wrong results.
func allowFaultsFlag(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "allow-faults", Category: groupRules, Usage: usage}
}

// allowFaults returns faults as --allow-faults sees them: what computes wrong results is a warning, and
// what does not run fails all the same.
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

// A faultyError is a model that is not rewritten, because it does not run or computes wrong results.
type faultyError struct {
	faults []rules.Fault
}

func (e *faultyError) Error() string {
	const most = 3
	var texts []string
	failures := remarks.Failures(e.faults)
	for i, f := range failures {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more faults", len(failures)-most))
			break
		}
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, "; ") + "; nothing was written; --allow-faults writes a model anyway"
}

// refuseFaults returns an error for a model that does not run or computes wrong results, unless
// --allow-faults is set.
func refuseFaults(c *cli.Context, m *tflite.Model, kernels string) error {
	if list := rules.Failing(rules.Faults(m, kernels)); len(list) > 0 && !c.Bool("allow-faults") {
		return named(m.Name, &faultyError{list})
	}
	return nil
}
