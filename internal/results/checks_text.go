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
	label := checkLabels(list)
	b.WriteString(checkOverview(list, s).Text(s.Layout))
	for _, c := range read {
		if c.Pass && !s.Details {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", s.Paint.Strong("== "+tables.Printable(label(c))+" =="))
		if s.Details {
			b.WriteString(c.Text(s))
		} else {
			c.brief().verdictLines(&b, s)
		}
	}
	return b.String()
}

// brief returns a check with one failure that counts the others.
func (c *Check) brief() *Check {
	if len(c.Failures) < 2 {
		return c
	}
	one := *c
	one.Failures = []Note{c.Failures[0]}
	one.Failures[0].Text += fmt.Sprintf("; %s: --details or --json lists them", count(len(c.Failures)-1, "more fault"))
	return &one
}

// checkLabels returns a function that names checks: by the input, with the target if there are several of
// one input.
func checkLabels(list []*Check) func(*Check) string {
	times := map[string]int{}
	for _, c := range list {
		times[c.Input]++
	}
	return func(c *Check) string {
		if times[c.Input] > 1 && c.Name != "" {
			return c.Input + " on " + c.Name
		}
		return c.Input
	}
}

// checkOverview has a line for each model.
func checkOverview(list []*Check, s Style) *tables.Table {
	name, label := shorter(list, func(c *Check) string { return c.Input }), checkLabels(list)
	t := overviewTable("head", "verdict")
	for _, c := range list {
		row := t.Add(name(label(c)), cell(c.Figures, c.Required), cell(c.Figures, c.Used), c.Head, cell(c.Figures, c.best), units.Percent(c.Used-c.best, c.Used), c.verdict())
		if row.Paint = s.verdictPaint; c.Failed != nil {
			row.Cells = []any{name(label(c)), "-", "-", "-", "-", "-", notChecked}
		}
	}
	return t
}

// notChecked is the verdict on a file that is no model.
const notChecked = "NOT CHECKED"

// verdictPaint paints a verdict cell.
func (s Style) verdictPaint(cell string) string {
	for _, v := range append([]Verdict{notChecked}, verdicts...) {
		if rest, ok := strings.CutPrefix(cell, string(v)); ok {
			return s.painted(v) + rest
		}
	}
	return cell
}

// verdict states in a few words whether a model fits.
func (c *Check) verdict() string {
	switch b := c.ruling().decisive(); {
	case c.Verdict == Requires:
		return "no budget"
	case c.Verdict == NotKnown && b != nil:
		return fmt.Sprintf("%s: %s", c.Verdict, b.Name)
	case c.Verdict == DoesNotFit:
		over := Style{}.short(b.ActualBytes - b.LimitBytes)
		if b.Name == BudgetArena {
			return fmt.Sprintf("%s: +%s", c.Verdict, over)
		}
		return fmt.Sprintf("%s: %s +%s", c.Verdict, b.Name, over)
	}
	return string(c.Verdict)
}
