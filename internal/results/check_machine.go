package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
)

// ChecksMarkdown returns one table of all verdicts, for a comment on a change or the summary of a job,
// followed by the warnings. Each model has a row for its arena, also without a budget.
func ChecksMarkdown(list []*Check, s Style) string {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "verdict"},
		{Head: "model"},
		{Head: "budget"},
		{Head: "actual (B)", Kind: tables.Right},
		{Head: "limit (B)", Kind: tables.Right},
		{Head: "spare (B)", Kind: tables.Right},
		{Head: "change (B)", Kind: tables.Right},
		{Head: "detail"},
	}}
	var warnings strings.Builder
	name := checkLabels(list)
	for _, c := range list {
		if c.Failed != nil {
			t.Add(notChecked, name(c), "", "", "", "", "", c.Failed.Error.Message)
		}
		if c.PlanProblem != "" {
			t.Add(string(WrongResults), name(c), "plan", "", "", "", "", c.planSentence())
		}
		for _, f := range c.Failures {
			label, rest, _ := strings.Cut(f.Text, ": ")
			t.Add(strings.ToUpper(label), name(c), "run", "", "", "", "", tables.Printable(rest))
		}
		if c.Failed == nil && !slices.ContainsFunc(c.Budgets, func(b Budget) bool { return b.Name == BudgetArena }) {
			b := newBudget(BudgetArena, c.Figures, c.Required, 0, "")
			t.Add(string(c.unlimited()), name(c), string(b.Name), b.actual(s), "", "", c.difference(b, s), c.estimate(b))
		}
		for _, b := range c.Budgets {
			t.Add(string(b.verdict()), name(c), string(b.Name), b.actual(s), s.exact(b.LimitBytes), b.spare(s), c.difference(b, s), b.Detail+c.estimate(b))
		}
		for _, w := range c.Warnings {
			s.line(&warnings, "warning", name(c)+": "+w.Text)
		}
	}
	if warnings.Len() > 0 {
		return t.Markdown(s.Layout) + "\n" + warnings.String()
	}
	return t.Markdown(s.Layout)
}

// unlimited is the verdict on an arena without a budget.
func (c *Check) unlimited() Verdict {
	if !c.Known() || c.Unmodelled != "" {
		return NotKnown
	}
	return Requires
}

// spare is what the figure leaves of a limit; what exceeds it is negative.
func (b Budget) spare(s Style) string {
	if b.Unknown {
		return ""
	}
	return s.exact(b.LimitBytes - b.ActualBytes)
}

// difference is the change of a budget's figure since the model before, or "" if there is none.
func (c *Check) difference(b Budget, s Style) string {
	if c.New {
		return "new"
	}
	if c.Base == nil || b.Unknown || b.Name != BudgetHead && !c.Base.Known() {
		return ""
	}
	var before int64
	switch b.Name {
	case BudgetArena:
		before = c.Base.Required
	case BudgetHead:
		before = c.Base.Head
	case BudgetGrowth:
		before = c.Base.Used
	default:
		return ""
	}
	by := b.ActualBytes - before
	if by > 0 {
		return "+" + s.exact(by)
	}
	return s.exact(by)
}

// actual is the figure in a table.
func (b Budget) actual(s Style) string {
	if b.Unknown {
		return "not known"
	}
	return s.exact(b.ActualBytes)
}

// ChecksGitHub returns a line for each verdict; failures and warnings are annotations of the file
// (workflow commands of GitHub Actions).
func ChecksGitHub(list []*Check, s Style) string {
	var b strings.Builder
	name := checkLabels(list)
	for _, c := range list {
		annotate := func(kind, title, text string) {
			fmt.Fprintf(&b, "::%s file=%s,title=%s::%s\n", kind, property(c.Input), property(title), message(text))
		}
		if c.Failed != nil {
			annotate("error", "model not checked", tables.Printable(c.Failed.Error.Message))
		}
		if c.PlanProblem != "" {
			annotate("error", "memory plan", c.planSentence())
		}
		for _, f := range c.Failures {
			annotate("error", "model fault", tables.Printable(f.Text))
		}
		for _, budget := range c.Budgets {
			text := fmt.Sprintf("%s: %s (%s)", budget.verdict(), budget.sentence(s), builtFor(c.ABI, c.Kernels))
			if e := c.estimate(budget); e != "" {
				text += "; " + e
			}
			if budget.Pass {
				fmt.Fprintf(&b, "%s: %s\n", tables.Printable(name(c)), text)
				continue
			}
			if name(c) != c.Input {
				text = c.Name + ": " + text
			}
			annotate("error", "memory budget: "+string(budget.Name), text)
		}
		for _, w := range c.Warnings {
			annotate("warning", "model", tables.Printable(w.Text))
		}
	}
	return b.String()
}

// message and property escape the text of a workflow command and a value before it, also for a
// terminal.
func message(text string) string {
	return tables.Printable(strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text))
}

func property(value string) string {
	return tables.Printable(strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(value))
}

// verdict is the verdict on one budget alone.
func (b Budget) verdict() Verdict {
	switch {
	case b.Unknown:
		return NotKnown
	case b.Pass:
		return Fits
	}
	return DoesNotFit
}
