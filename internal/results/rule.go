package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/rewrite/transform"
)

// A Rule is a rule that was applied to a model: it replaced operators by others that compute the same.
type Rule struct {
	// Name of the rule; `tflarena help rules` lists them.
	Name string `json:"name"`
	// Why the rule was applied: `memory`, `work`, `tiling` or `repair`.
	Purpose transform.Purpose `json:"purpose"`
	// Operators that were replaced, as SUBGRAPH:INDEX NAME, with the indexes of the model before the rule.
	Operators []string `json:"operators"`
	// Bytes by which the required arena would be larger without the rule, by the live bytes of the operators; 0 for
	// a repair.
	SavedBytes int64 `json:"saved_required_bytes"`
}

// NewRules returns the rules that were applied.
func NewRules(list []transform.Applied) []Rule {
	made := []Rule{}
	for _, a := range list {
		r := Rule{Name: a.Rule.Name, Purpose: a.Rule.Purpose, Operators: []string{}, SavedBytes: a.Saved}
		for _, o := range a.Operators {
			r.Operators = append(r.Operators, fmt.Sprintf("%d:%d %s", o.Subgraph, o.Operator, o.Name))
		}
		made = append(made, r)
	}
	return made
}

// rules adds a line for each rule.
func (s Style) rules(b *strings.Builder, list []Rule) {
	for _, r := range list {
		text := r.Name
		if len(r.Operators) > 0 {
			text += ": " + count(len(r.Operators), "operator")
		}
		if r.SavedBytes > 0 {
			text += ", " + s.bytes(r.SavedBytes) + " of the required arena"
		}
		s.line(b, "rule", text)
	}
}

// RecordText describes a record of rules, "none" without one.
func RecordText(r *provenance.Record) string {
	if r == nil || len(r.Rules) == 0 {
		return "none"
	}
	var list []string
	for _, rule := range r.Rules {
		text := tables.Printable(rule.Name)
		if rule.Operators > 0 {
			text += " (" + count(rule.Operators, "operator") + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// sameRules reports whether two records have the same rules.
func sameRules(a, b *provenance.Record) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Rules, b.Rules)
}
