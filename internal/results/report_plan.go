package results

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// AddStrategy adds the plan of a strategy for a graph, and the arena with it; an unknown arena is zero
// except for its head.
func (r *Report) AddStrategy(name, title, graph string, plan *alloc.Plan, arena rules.Arena) *ReportPlan {
	figures := rules.Figures{Head: plan.Total}
	if r.ABI != "" {
		figures = arena.Stated()
	}
	return r.add(ReportPlan{
		Name: name, Title: title, Graph: graph, Strategy: plan.Winner, Figures: figures, Parts: partsOf(arena),
		LowerBoundBytes: plan.LowerBound, ProvenOptimal: plan.Optimal, Proof: plan.Proof.String(), Offsets: present(plan.Offsets),
	})
}

// Bound sets the lower bound of a plan.
func (p *ReportPlan) Bound(bytes int64) {
	p.LowerBoundBytes = bytes
	if p.Head == bytes {
		p.ProvenOptimal, p.Proof = true, "the head equals the lower bound"
	}
}

// Share sets the tensors that share memory on purpose in a plan of [improve.Improve].
func (p *ReportPlan) Share(o *improve.Outcome) {
	p.Takeovers, p.Overlaps = NewTakeovers(o.Records, o.Takeovers), NewOverlaps(o.Records, o.Overlaps)
}

// gapsOf returns the times at which a record holds less than its size.
func gapsOf(r lifetime.Record) (list []Gap) {
	for _, g := range r.Gaps {
		list = append(list, Gap{FirstOp: g.First, LastOp: g.Last, HeldOffsetBytes: g.Lo, HeldBytes: g.Hi - g.Lo})
	}
	return list
}

// ReportsText summarises a page for people, a line for each model.
func ReportsText(list []*Report, s Style) string {
	var b strings.Builder
	for _, r := range list {
		others := r.Warnings
		if r.Verdict != "" {
			_, others = faultNote(r.Verdict, r.Warnings)
			s.answer(&b, r.Verdict, r.VerdictText, "")
		}
		s.faults(&b, others)
		s.line(&b, "model", r.summary(s))
		for _, note := range r.Notes {
			s.line(&b, "note", note.Text)
		}
		b.WriteString(s.Next(cmp.Or(r.Next, r.next(), r.Fit)))
	}
	return b.String()
}

// next returns the command line that makes the model with the smallest arena, or "" if no plan has a smaller one than the file.
func (r *Report) next() (next string) {
	least := int64(math.MaxInt64)
	for i, p := range r.Plans {
		if size := p.Size(); p.InModel && size > 0 && size < least {
			if least = size; i > 0 {
				next = p.Next
			}
		}
	}
	return next
}

// summary lists the plans of a model on a page.
func (r *Report) summary(s Style) string {
	text, strategies := tables.Printable(r.Input), 0
	for _, p := range r.Plans {
		if !p.InModel {
			strategies++
			continue
		}
		text += fmt.Sprintf(", %s %s", p.Title, s.bytes(max(p.Used, p.Head)))
	}
	return text + ", and " + count(strategies, "plan") + " by strategies"
}
