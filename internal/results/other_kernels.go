package results

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
)

// An OtherBuild is the verdict on a model with another kernel library than that of the figures.
type OtherBuild struct {
	// Kernel library, as the flag `--kernels` names it, with a release if that is not the newest modelled one.
	Kernels string `json:"kernels"`
	// Verdict with these kernels, in the same budgets.
	Verdict Verdict `json:"verdict"`
	// Required arena in bytes. Absent if it is not known.
	Required int64 `json:"required_bytes,omitzero"`
}

// Across sets the verdicts with each release of kernel libraries, and returns the first with the worst, or
// nil without any. The model passes only with all of them.
func (c *Check) Across(list []OtherBuild) *OtherBuild {
	c.OtherKernels, c.across = list, true
	var worst *OtherBuild
	for i, x := range list {
		c.Pass = c.Pass && !x.Verdict.bad()
		if worst == nil || slices.Index(verdicts, x.Verdict) < slices.Index(verdicts, worst.Verdict) {
			worst = &list[i]
		}
	}
	if worst != nil && slices.Index(verdicts, worst.Verdict) < slices.Index(verdicts, c.Verdict) {
		c.Verdict, c.worst = worst.Verdict, worst
	}
	return worst
}

// worstText is the text of the verdict with the worst release.
func (c *Check) worstText(s Style) string {
	for _, b := range c.Budgets {
		if b.Name == BudgetArena && c.worst.Verdict == DoesNotFit {
			return s.against("requires", c.worst.Required, b.LimitBytes, "budget")
		}
	}
	return "with one of the releases below"
}

// acrossTable has a line for each release.
func (c *Check) acrossTable() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{{Head: "kernels"}, {Head: "required", Kind: tables.Bytes}, {Head: "verdict"}}}
	for _, x := range c.OtherKernels {
		required := any(x.Required)
		if x.Required == 0 {
			required = "-"
		}
		t.Add(x.Kernels, required, string(x.Verdict))
	}
	return t
}

// otherKernels writes for which libraries a verdict differs, or the range of the required arena if it is
// the same for all.
func (s Style) otherKernels(b *strings.Builder, v Verdict, list []OtherBuild) {
	if len(list) == 0 {
		return
	}
	byArena := slices.DeleteFunc(slices.Clone(list), func(x OtherBuild) bool { return x.Required == 0 })
	if len(byArena) == 0 {
		return
	}
	slices.SortStableFunc(byArena, func(x, y OtherBuild) int { return cmp.Compare(x.Required, y.Required) })
	least, most := byArena[0], byArena[len(byArena)-1]
	text := fmt.Sprintf("%s (%s) to %s (%s) with the kernels that devices ship", s.short(least.Required), least.Kernels, s.short(most.Required), most.Kernels)
	if least.Required == most.Required {
		text = fmt.Sprintf("%s with all kernels that devices ship", s.short(least.Required))
	}
	var differ []string
	for _, w := range verdicts {
		var names []string
		for _, x := range list {
			if x.Verdict == w && w != v {
				names = append(names, x.text(s))
			}
		}
		if len(names) > 0 {
			differ = append(differ, s.painted(w)+" with "+strings.Join(names, ", "))
		}
	}
	switch {
	case len(differ) > 0:
		text = strings.Join(differ, "; ")
	case v == DoesNotRun || v == WrongResults || v == NotKnown:
		return
	}
	s.line(b, "other builds", text)
}

func (x OtherBuild) text(s Style) string {
	if x.Verdict != DoesNotFit && x.Verdict != Fits {
		return x.Kernels
	}
	return fmt.Sprintf("%s (%s)", x.Kernels, s.short(x.Required))
}
