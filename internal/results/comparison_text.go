package results

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Text returns the comparison for people, a section for each approach. A few inputs are columns; more
// are rows, with a summary of the strategies.
func (c *Comparison) Text(s Style) string {
	const few = 6
	var b strings.Builder
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		list := c.of(a)
		switch {
		case len(list) == 0:
			continue
		case len(list) <= few:
			parts := columns(list, s)
			names := inputNames(list, len(parts[0]), s)
			for _, part := range parts {
				s.table(&b, fmt.Sprintf("approach %s: the %s in bytes (* best, = equal to the lower bound)", a, c.figureOf(list)), matrix(part, names, s))
				names = names[len(part):]
			}
		default:
			s.table(&b, fmt.Sprintf("approach %s, the best plan for each input: the %s, and its excess over the lower bound", a, c.figureOf(list)), inputs(list))
			s.table(&b, fmt.Sprintf("approach %s, excess over the lower bound of all inputs (geometric mean)", a), summary(list))
		}
	}
	c.unproven(&b, s)
	return strings.TrimPrefix(b.String(), "\n")
}

// unproven writes how many of an approach's best plans have no proof, and the next command for the one farthest above its bound.
func (c *Comparison) unproven(b *strings.Builder, s Style) {
	for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		all, unproven := c.of(a), 0
		var worst *Contest
		for i := range all {
			if r := &all[i]; !r.ProvenOptimal && r.BestStrategy != "" {
				if unproven++; worst == nil || r.excess() > worst.excess() {
					worst = r
				}
			}
		}
		if worst == nil {
			continue
		}
		b.WriteString("\n")
		s.line(b, "not proven", fmt.Sprintf("%d of %d best plans for %s, at most %.2f %% above the lower bound", unproven, len(all), a, worst.excess()))
		b.WriteString(s.Next(worst.Next))
		return
	}
}

// figureOf returns the name of the memory in all contests of a list.
func (c *Comparison) figureOf(list []Contest) string {
	for _, one := range list {
		if one.Runtime != list[0].Runtime || one.Approach == alloc.Shared {
			return "total"
		}
	}
	rule, err := rules.Lookup(list[0].Runtime)
	switch {
	case err != nil:
		return "total" // of CSV problems
	case rule.IsMicro() && c.TensorsAlone:
		return rule.Figure + " without kernel scratch"
	}
	return rule.Figure
}

// namesWidth is the width of the column of strategies, including the gap.
const namesWidth = 26

// columns cuts a list of contests into parts whose matrix fits the width.
func columns(list []Contest, s Style) [][]Contest {
	const cell = 16
	n := len(list)
	if s.Width > 0 && !s.Markdown {
		n = max((s.Width-namesWidth)/cell, 1)
	}
	var parts [][]Contest
	for len(list) > 0 {
		k := min(n, len(list))
		parts, list = append(parts, list[:k]), list[k:]
	}
	return parts
}

// inputNames returns the names of all inputs, without their common folder, for matrices with a number of columns.
func inputNames(list []Contest, columns int, s Style) (names []string) {
	name := shorter(list, func(c Contest) string { return c.Input })
	for _, c := range list {
		names = append(names, tables.Printable(name(c.Input)))
	}
	if s.Markdown || s.Width == 0 {
		return names
	}
	return tables.ElideAll(names, (s.Width-namesWidth)/columns-2)
}

// matrix has a row for each strategy and a column for each input, with its name.
func matrix(list []Contest, names []string, s Style) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{{Head: "strategy"}}}
	for i := range list {
		t.Columns = append(t.Columns, tables.Column{Head: names[i], Kind: tables.Right})
	}
	for _, e := range list[0].Strategies {
		cells := []any{e.Strategy}
		for _, c := range list {
			cells = append(cells, c.cell(e.Strategy, s))
		}
		t.Add(cells...)
	}
	bounds := []any{"lower bound"}
	for _, c := range list {
		bounds = append(bounds, s.exact(c.LowerBoundBytes)+"  ")
	}
	t.Add(bounds...)
	return t
}

// cell returns a strategy's total with a sign for its quality.
func (c *Contest) cell(strategy string, s Style) string {
	e := c.entry(strategy)
	switch {
	case e == nil && slices.Contains(c.Unfinished(), strategy):
		return "not finished  "
	case e == nil:
		return "-  "
	case e.TotalBytes == c.LowerBoundBytes:
		return s.exact(e.TotalBytes) + " ="
	case e.TotalBytes == c.BestBytes:
		return s.exact(e.TotalBytes) + " *"
	}
	return s.exact(e.TotalBytes) + "  "
}

// inputs has a row for each input.
func inputs(list []Contest) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "input", Kind: tables.Name},
		{Head: "records", Kind: tables.Number, Rank: 2},
		{Head: "best (B)", Kind: tables.Right},
		{Head: "excess (%)", Kind: tables.Right, Rank: 1},
		{Head: "by"},
	}}
	for _, c := range list {
		best := "-"
		if c.BestStrategy != "" {
			best = Style{}.exact(c.BestBytes)
		}
		t.Add(c.Input, c.Records, best, fmt.Sprintf("%.2f", c.excess()), c.BestStrategy)
	}
	return t
}

// summary has a row for each strategy: the number of inputs on which it is best or meets the bound, and
// its mean and largest excess over the bound.
func summary(list []Contest) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "strategy"},
		{Head: "plans", Kind: tables.Number, Rank: 2},
		{Head: "best", Kind: tables.Number},
		{Head: "at bound", Kind: tables.Number, Rank: 1},
		{Head: "mean (%)", Kind: tables.Right},
		{Head: "worst (%)", Kind: tables.Right},
	}}
	for _, e := range list[0].Strategies {
		var plans, best, met int
		var logs, worst float64
		for i := range list {
			c := &list[i]
			entry := c.entry(e.Strategy)
			if entry == nil {
				continue
			}
			ratio := 1.0
			if c.LowerBoundBytes > 0 {
				ratio = float64(entry.TotalBytes) / float64(c.LowerBoundBytes)
			}
			plans, best, met = plans+1, best+one(entry.TotalBytes == c.BestBytes), met+one(entry.TotalBytes == c.LowerBoundBytes)
			logs, worst = logs+math.Log(ratio), max(worst, ratio)
		}
		mean := math.Exp(logs / float64(max(plans, 1)))
		t.Add(e.Strategy, plans, best, met, fmt.Sprintf("%.2f", 100*(mean-1)), fmt.Sprintf("%.2f", 100*(max(worst, 1)-1)))
	}
	return t
}

func one(condition bool) int {
	if condition {
		return 1
	}
	return 0
}
