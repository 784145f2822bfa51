package main

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/rewrite/transform"
)

const rulesTopic = `A rule replaces operators by others that compute the same bits. 'rewrite --substitute exact' applies the rules for memory and work: each only if it makes the required arena of the target smaller, or removes an operator, and none whose operators have a fault on the target. 'rewrite --repair' applies the rules that avoid a fault of the target's kernels. 'fit --substitute exact' searches with the rules, too; without the flag, fit uses only rules that are exact in LiteRT as well.

A rule is exact with all kernel libraries of TensorFlow Lite Micro that the list names. In LiteRT, outputs may differ by rounding where the list does not name it. The file keeps the list of its rules in the metadata tflarena_rules: verify fails if it is checked for kernels with which a rule is not exact.
`

// describeRules lists the rules for help.
func describeRules() string {
	var b strings.Builder
	b.WriteString(topic("RULES", rulesTopic))
	const indent = 5
	for _, r := range transform.Rules() {
		var names []string
		for _, code := range r.Operators {
			names = append(names, code.String())
		}
		fmt.Fprintf(&b, "\n   %s (%s)\n", r.Name, r.Purpose)
		if len(names) == 0 {
			names = []string{"The file"}
		}
		text := strings.Join(names, ", ") + ": " + r.Condition + ". Becomes: " + r.Result + ". Exact with " + r.Exact.String() + "."
		fmt.Fprintf(&b, "%*s%s\n", indent, "", wrapped(text, indent))
	}
	return b.String()
}
