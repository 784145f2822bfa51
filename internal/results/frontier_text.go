package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// Text returns the points for people, each with the lowest --alias that has it.
func (f *Frontier) Text(s Style) string {
	var b strings.Builder
	own, least := f.Before, f.least()
	s.ruled(&b, f.ruling(), f.Warnings, builtFor(f.ABI, f.Kernels))
	s.memory(&b, f.Verdict, own.Figures)
	s.kernels(&b, f.KernelLibrary)
	f.Time.line(s, &b, 0, f.OwnMACs)
	if least.Required < own.Required {
		text := fmt.Sprintf("%s, %s less, for %s", s.Paint.Strong(s.bytes(least.Required)),
			s.Paint.Good(units.Percent(own.Required-least.Required, own.Required)), inFull(f.work(least)))
		if least.Alias != rules.NoAlias {
			text += ", with --alias " + string(least.Alias)
		}
		s.line(&b, "best found", text)
	}
	f.levels(s, &b)
	if names := f.newOperators(); len(names) > 0 {
		s.line(&b, "new ops", strings.Join(names, ", ")+": a tiled model may need these in the op resolver")
	}
	for _, note := range f.Notes {
		s.line(&b, "note", note.Text)
	}
	if t := f.table(); len(t.Rows) > 0 {
		title := "possible arenas (fit --arena makes each of them)"
		if !own.Known() {
			title = "possible heads"
		}
		s.table(&b, title, t)
	}
	if f.Next != "" || f.worthwhile.Required > 0 {
		b.WriteString("\n")
		if f.worthwhile.Required > 0 {
			s.line(&b, "recommended", fmt.Sprintf("%s, the smallest arena for at most %.0f %% extra MACs without in-place outputs",
				s.bytes(f.worthwhile.Required), 100*shrink.LittleWork))
		}
		b.WriteString(s.Next(f.Next))
	}
	return b.String()
}

// levels writes why levels are incomplete or have no points of their own.
func (f *Frontier) levels(s Style, b *strings.Builder) {
	var cut []string
	for i, l := range f.Levels {
		found := false
		for _, p := range l.Points {
			found = found || p.Alias == l.Alias
		}
		alias := "--alias " + string(l.Alias)
		switch {
		case !l.Complete:
			cut = append(cut, string(l.Alias))
		case l.Reason != "":
			s.line(b, alias, "the model is not tiled: "+l.Reason)
		case !found && i > 0:
			s.line(b, alias, "no improvement")
		}
	}
	if len(cut) > 0 {
		s.line(b, "incomplete", s.Paint.Warn("not everything was tried")+" with --alias "+strings.Join(cut, ", ")+": allow more time with --time-limit")
	}
}

// newOperators returns the kinds of operators of any point that the model lacks.
func (f *Frontier) newOperators() (names []string) {
	for _, l := range f.Levels {
		for _, p := range l.Points {
			names = append(names, p.NewOperators...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// least returns the point of the least arena.
func (f *Frontier) least() FrontierPoint {
	least := f.Before
	for _, l := range f.Levels {
		for _, p := range l.Points {
			if p.Required < least.Required {
				least = p
			}
		}
	}
	return least
}

func (f *Frontier) work(p FrontierPoint) string { return extraWork(p.ExtraMACs, f.OwnMACs) }

func (f *Frontier) table() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "alias"},
		{Head: "required", Kind: tables.Bytes},
		{Head: "used", Kind: tables.Bytes, Rank: 4},
		{Head: "head", Kind: tables.Bytes, Rank: 3},
		{Head: "extra work", Kind: tables.Right},
		{Head: "operators", Kind: tables.Number, Rank: 5},
		{Head: "file", Kind: tables.Bytes, Rank: 6},
		{Head: "time", Kind: tables.Right, Rank: 3},
		{Head: "what it needs", Rank: 2},
	}}
	for _, l := range f.Levels {
		for _, p := range l.Points {
			if p.Alias == l.Alias {
				t.Add(p.Alias, cell(p.Figures, p.Required), cell(p.Figures, p.Used), p.Head, f.work(p), p.Operators, p.FileBytes, f.Time.with(p.ExtraMACs, f.OwnMACs), p.needs())
			}
		}
	}
	return t
}

// substituted returns the number of operators that rules replaced by others.
func (p *FrontierPoint) substituted() (n int) {
	for _, r := range p.Rules {
		n += len(r.Operators)
	}
	return n - p.OperatorsRemoved
}

// needs describes how a point is made, and its requirements on the runtime.
func (p *FrontierPoint) needs() string {
	var list []string
	add := func(n int, text string) {
		if n > 0 {
			list = append(list, text)
		}
	}
	add(p.OperatorsMoved, "another order")
	add(p.OperatorsRemoved, count(p.OperatorsRemoved, "operator")+" left out")
	add(p.substituted(), count(p.substituted(), "operator")+" substituted")
	add(len(p.Stages), count(len(p.Stages), "tiled block"))
	add(p.Takeovers, count(p.Takeovers, "takeover"))
	add(len(p.NewOperators), count(len(p.NewOperators), "kernel"))
	if len(list) == 0 {
		return "a plan only"
	}
	return strings.Join(list, ", ")
}
