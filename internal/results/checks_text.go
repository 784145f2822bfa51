package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// Reachable sets the used bytes with a better plan.
func (c *Check) Reachable(arena int64) { c.best = min(arena, c.Used) }

// ChecksText returns checks for people: a single one in full; several as a line each, followed by the
// reasons of failures, or by all results if details are requested. A model that could not be checked
// has only a line.
func ChecksText(list []*Check, s Style) string {
	var read []*Check
	for _, c := range list {
		if c.Failed == nil {
			read = append(read, c)
		}
	}
	if len(list) == 1 {
		return sections(len(read), func(i int) (string, string) { return read[i].Input, read[i].Text(s) }, s)
	}
	var b strings.Builder
	b.WriteString(checkOverview(list, s).Text(s.Layout))
	for _, c := range read {
		if c.Pass && !s.Details {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", s.Paint.Strong("== "+tables.Printable(c.Input)+" =="))
		if s.Details {
			b.WriteString(c.Text(s))
		} else {
			c.verdictLines(&b, s)
		}
	}
	return b.String()
}

// checkOverview has a line for each model.
func checkOverview(list []*Check, s Style) *tables.Table {
	name := shorter(list, func(c *Check) string { return c.Input })
	t := overviewTable("head", "verdict")
	for _, c := range list {
		row := t.Add(name(c.Input), cell(c.Figures, c.Required), cell(c.Figures, c.Used), c.Head, cell(c.Figures, c.best), units.Percent(c.Used-c.best, c.Used), c.verdict())
		if row.Paint = s.verdictPaint; c.Failed != nil {
			row.Cells = []any{name(c.Input), "-", "-", "-", "-", "-", "FAIL: not checked"}
		}
	}
	return t
}

// verdictPaint paints a verdict cell.
func (s Style) verdictPaint(cell string) string {
	switch {
	case strings.HasPrefix(cell, fail), strings.HasPrefix(cell, notKnown):
		return s.Paint.Bad(cell)
	case strings.HasPrefix(cell, pass):
		return s.Paint.Good(cell)
	}
	return cell
}

// verdict states in a few words whether a model fits.
func (c *Check) verdict() string {
	switch {
	case c.PlanProblem != "":
		return "FAIL: its plan is wrong"
	case len(c.Failures) > 0:
		return "FAIL: does not run"
	case len(c.Budgets) == 0:
		return "no budget"
	}
	for _, b := range c.Budgets {
		if b.Unknown {
			return notKnown + ": " + string(b.Name)
		}
		if !b.Pass {
			return fmt.Sprintf("FAIL: %s by %s", b.Name, Style{}.short(b.ActualBytes-b.LimitBytes))
		}
	}
	return "PASS"
}
