package main

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/transform"
)

const rulesTopic = `A rule replaces operators by others that compute the same bits. 'rewrite --substitute exact' applies the rules for memory and work: each only if it makes the required arena of the target smaller, or removes an operator, and none whose operators have a fault on the target. 'rewrite --repair' applies the rules that avoid a fault of the target's kernels. 'fit --substitute exact' searches with the rules, too; without the flag, fit uses only rules that are exact in LiteRT as well, and those for tiling, which are as exact as tiling: in LiteRT with its reference kernels.

The file keeps the list of its rules in the metadata tflarena_rules: verify fails if it is checked for kernels with which a rule is not exact. docs/rules.md has the condition of each rule, what the operators become, and the runtimes in which the outputs are bit-identical.
`

// describeRules lists the rules for help.
func describeRules() string {
	var b strings.Builder
	b.WriteString(topic("RULES", rulesTopic))
	for _, flag := range []struct {
		name     string
		purposes []transform.Purpose
	}{{"--substitute exact", []transform.Purpose{transform.Memory, transform.Work}}, {"fit", []transform.Purpose{transform.Tiling}}, {"--repair", []transform.Purpose{transform.Repairs}}} {
		fmt.Fprintf(&b, "\n   Rules of %s:\n", flag.name)
		for _, r := range transform.Rules() {
			if !slices.Contains(flag.purposes, r.Purpose) {
				continue
			}
			of := "the file"
			if len(r.Operators) > 0 {
				of = r.Operators[0].String()
			}
			if n := len(r.Operators); n > 1 {
				of += fmt.Sprintf(" and %d more", n-1)
			}
			fmt.Fprintf(&b, "     %-31s  %s\n", r.Name, of)
		}
	}
	return b.String()
}
