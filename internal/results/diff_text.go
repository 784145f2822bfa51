package results

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/internal/units"
)

// sentences are what people read for the words in [Diff.Differences].
var sentences = map[Difference]string{
	differTiling: "the tiling", differOrder: "the order of operators", differOperators: "some operators", differTensors: "some tensors",
	differData: "the data of constants", differPlan: "the memory plan", differMetadata: "metadata", differOther: "other parts",
}

// Text returns the difference for people: the memory first, then its causes.
func (d *Diff) Text(s Style) string {
	d = d.withoutTiles()
	var b strings.Builder
	of := d.arenaLines(&b, s)
	s.line(&b, "lower bound", s.change(d.A.LowerBoundBytes, d.B.LowerBoundBytes)+of)
	s.line(&b, "peak", arrow(s.where(d.A.Peak), s.where(d.B.Peak)))
	s.line(&b, "file", s.change(d.A.FileBytes, d.B.FileBytes))
	s.line(&b, "result", d.result())
	d.tilingLines(&b, s)
	d.operatorLines(&b, s)
	d.tensorLines(&b, s)
	s.line(&b, "plan", planText(&d.Plan))
	if text := markerText(&d.Plan); text != "" {
		s.line(&b, "marker", text)
	}
	if !sameRules(d.A.Rules, d.B.Rules) {
		s.line(&b, "rules", RecordText(d.A.Rules)+" -> "+RecordText(d.B.Rules))
	}
	s.metadataLines(&b, &d.Metadata)
	if len(d.Other) > 0 {
		s.line(&b, "other", listed(d.Other, s.Top))
	}
	d.notes(&b, s)
	return b.String()
}

// arenaLines writes the change of the arena, or of the planned memory in another runtime, and returns
// which of them the lower bound is for.
func (d *Diff) arenaLines(b *strings.Builder, s Style) string {
	if d.A.Used == 0 || d.B.Used == 0 {
		s.line(b, d.label, s.Paint.Strong(s.change(d.A.Head, d.B.Head)))
		return ""
	}
	s.line(b, "required", s.Paint.Strong(s.change(d.A.Required, d.B.Required)))
	s.line(b, "used", s.change(d.A.Used, d.B.Used))
	s.line(b, "head", s.change(d.A.Head, d.B.Head))
	s.line(b, "tail", s.change(d.A.Tail, d.B.Tail))
	return " (of the head)"
}

// result is a sentence about the differences.
func (d *Diff) result() string {
	switch {
	case d.Identical:
		return "no difference: the files are the same byte for byte"
	case d.Unlike:
		return fmt.Sprintf("the models have little in common: of %d and %d operators, %d make tensors of the same name", d.A.Operators, d.B.Operators, d.Operators.Matched)
	case slices.Contains(d.Differences, differEncoding):
		return "no difference in what is compared here, but the bytes of the files differ"
	}
	var parts []string
	for _, word := range d.Differences {
		parts = append(parts, sentences[word])
	}
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1] + " changed"
	}
	return "only " + parts[0] + " changed"
}

// change writes two byte counts and their difference.
func (s Style) change(a, b int64) string {
	if a == b {
		return s.bytes(a) + ", the same"
	}
	return fmt.Sprintf("%s -> %s, %s", s.bytes(a), s.bytes(b), s.gap(a, b))
}

func (s Style) gap(a, b int64) string {
	more, by := "more", b-a
	if by < 0 {
		more, by = "less", -by
	}
	if percent := units.Percent(by, a); percent != units.Percent(0, 1) && percent != units.Percent(1, 1) {
		return fmt.Sprintf("%s or %s %s", s.short(by), percent, more)
	}
	return s.short(by) + " " + more
}

// where names the peak.
func (s Style) where(p Peak) string {
	switch {
	case p.IsZero():
		return "none"
	case p.Index < 0:
		return fmt.Sprintf("position %d, %s", p.Position, p.Operator)
	}
	return fmt.Sprintf("position %d, Op# %d:%d %s", p.Position, p.Subgraph, p.Index, s.name(p.Operator))
}

func arrow(a, b string) string {
	if a == b {
		return a + ", the same"
	}
	return a + " -> " + b
}

// notes writes the rules and the omissions of the figures.
func (d *Diff) notes(b *strings.Builder, s Style) {
	planner := ""
	if d.ownPlanner {
		planner = ", with its own planner" + d.around()
	}
	counted := units.Number(int64(d.A.TensorsPlanned))
	if d.A.TensorsPlanned != d.B.TensorsPlanned {
		counted += " -> " + units.Number(int64(d.B.TensorsPlanned))
	}
	s.line(b, "counted", fmt.Sprintf("%s tensors, as %s sees the models%s", counted, d.title, planner))
	for _, note := range d.A.Notes {
		if !slices.Contains(d.B.Notes, note) {
			note.Text = "of the first: " + note.Text
		}
		s.line(b, "note", note.Text)
	}
	for _, note := range d.B.Notes {
		if !slices.Contains(d.A.Notes, note) {
			s.line(b, "note", "of the second: "+note.Text)
		}
	}
}

// around names the fixed tensors of the runtime's planner.
func (d *Diff) around() string {
	switch {
	case d.A.EmbeddedPlan != nil && d.B.EmbeddedPlan != nil:
		return " around the embedded plans"
	case d.A.EmbeddedPlan != nil:
		return " around the embedded plan of the first"
	case d.B.EmbeddedPlan != nil:
		return " around the embedded plan of the second"
	}
	return ""
}

// planText describes the change of the plan.
func planText(d *modeldiff.Plan) string {
	fixing := func(verb string, s modeldiff.PlanSide) string {
		if s.Problem != "" {
			return "cannot be read"
		}
		return verb + " " + count(s.TensorsFixed, "tensor")
	}
	switch d.Change {
	case modeldiff.PlanNone:
		return "none in either"
	case modeldiff.PlanSame:
		return "the same, " + fixing("fixes", d.B)
	case modeldiff.PlanAdded:
		return "added, " + fixing("fixes", d.B)
	case modeldiff.PlanRemoved:
		return "removed, " + fixing("fixed", d.A)
	}
	return fmt.Sprintf("changed, %s -> %s; %s at another offset", fixing("fixes", d.A), fixing("fixes", d.B), count(d.TensorsChanged, "tensor"))
}
