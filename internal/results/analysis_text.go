package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Text returns the analysis for people: the arena first, possible gains and the next step, then proofs,
// omissions, and the use of memory.
func (a *Analysis) Text(s Style) string {
	var b strings.Builder
	if a.micro {
		a.microLines(&b, s)
	} else {
		s.faults(&b, a.Warnings)
		a.lines(&b, s)
	}
	a.bounds(&b, s)
	a.notes(&b, s)
	if len(a.Tensors) == 0 {
		return b.String()
	}
	s.table(&b, a.peakTitle(s), tensorTable(a.Peak.Alive, s.Top))
	s.table(&b, "operators", a.operatorTable(s))
	s.table(&b, "largest tensors", tensorTable(bySize(a.Tensors), s.Top))
	return b.String()
}

func (a *Analysis) peakTitle(s Style) string {
	p := a.Peak
	title := fmt.Sprintf("peak: %s alive at position %d, ", s.bytes(p.BreadthBytes), p.Position)
	if p.Position >= 0 && p.Position < len(a.Operators) && a.Operators[p.Position].Operator >= 0 {
		title += "Op# " + a.Operators[p.Position].number() + " "
	}
	operator := tables.Printable(p.Operator)
	if s.Width > 0 {
		const least = 16 // to be distinguishable
		operator = tables.Elide(operator, max(s.Width-len(title), least))
	}
	return title + operator
}

// microLines writes the current and the possible memory in TensorFlow Lite Micro.
func (a *Analysis) microLines(b *strings.Builder, s Style) {
	s.faults(b, s.ruled(b, a.ruling(), a.Warnings, builtFor(a.ABI, a.Kernels)))
	s.memory(b, a.Verdict, a.Figures)
	s.older(b, a.OlderRuntime)
	s.line(b, "flash", s.bytes(a.FileBytes)+" for the file, without code")
	a.Time.line(s, b, 0, a.MACs)
	s.kernels(b, a.KernelLibrary)
	s.otherKernels(b, a.Verdict, a.OtherKernels)
	s.line(b, "smallest", a.smallest(s))
	b.WriteString(s.Next(a.Next))
	s.line(b, "best plan", a.withPlan(s))
	if a.Order != nil {
		s.line(b, "best order", a.withOrder(s))
	}
	s.line(b, "tiled", a.tiled(s))
}

// lines writes the memory in another runtime.
func (a *Analysis) lines(b *strings.Builder, s Style) {
	arena := s.Paint.Strong(s.bytes(a.Head))
	if a.ownPlanner {
		s.line(b, a.figure, fmt.Sprintf("%s with the planner of %s", arena, a.runtimeTitle))
		s.line(b, "best plan", fmt.Sprintf("%s by %s, %s", s.bytes(a.BestBytes), a.BestStrategy, a.saving(s)))
	} else {
		s.line(b, a.figure, fmt.Sprintf("%s by %s", arena, a.BestStrategy))
	}
	a.Time.line(s, b, 0, a.MACs)
	if a.Order != nil {
		s.line(b, "best order", a.Order.text(s))
	}
	b.WriteString(s.Next(a.Next))
}

// bounds writes the quality of the best plan, and the memory without any plan.
func (a *Analysis) bounds(b *strings.Builder, s Style) {
	of := ""
	if a.micro {
		of = " of head"
	}
	if a.BestBytes >= a.LowerBoundBytes {
		if a.ProvenOptimal {
			s.line(b, "proof", "no other plan of this graph is smaller: "+a.Proof)
		} else {
			s.line(b, "optimal", s.optimal(false, "", a.BestBytes, a.LowerBoundBytes))
		}
		s.line(b, "lower bound", s.bytes(a.LowerBoundBytes)+of)
	} else {
		s.line(b, "lower bound", s.bytes(a.LowerBoundBytes)+of+", where no tensors share memory on purpose")
	}
	s.line(b, "naive", s.bytes(a.NaiveBytes)+of+", without reuse")
}

// saving compares the best plan with the runtime's own.
func (a *Analysis) saving(s Style) string {
	if a.Head == a.BestBytes {
		return "the same"
	}
	return s.share(a.Head-a.BestBytes, a.Head) + " less"
}

// notes writes the rules and the omissions of the figures.
func (a *Analysis) notes(b *strings.Builder, s Style) {
	var parts []string
	for _, l := range a.LeftOut {
		parts = append(parts, fmt.Sprintf("%s (%s)", count(l.Tensors, "tensor"), l.Reason))
	}
	s.line(b, "counted", fmt.Sprintf("%s at %s, as %s sees the model", a.counted(), count(len(a.Operators), "position"), a.runtimeTitle))
	if len(parts) > 0 {
		s.line(b, "not counted", strings.Join(parts, ", "))
	}
	if a.EmbeddedPlan != nil {
		s.line(b, "plan", fmt.Sprintf("the runtime plans%s; without that plan the head would take %s", a.around(), s.bytes(a.EmbeddedPlan.OnlineBytes)))
	}
	for _, note := range a.Notes {
		s.line(b, "note", note.Text)
	}
}

// counted describes the planned records: tensors, and the scratch of kernels.
func (a *Analysis) counted() string {
	scratch := 0
	for _, t := range a.Tensors {
		if strings.HasPrefix(t.ID, scratchID) {
			scratch++
		}
	}
	text := count(len(a.Tensors)-scratch, "tensor")
	if scratch > 0 {
		text += " and " + count(scratch, "scratch buffer")
	}
	return text
}

// scratchID is the prefix of scratch IDs.
var scratchID = strings.TrimSuffix(rules.ScratchID(0), "0")

// sections returns n texts: a single one unchanged, several each below its title.
func sections(n int, section func(i int) (title, text string), s Style) string {
	var b strings.Builder
	for i := range n {
		title, text := section(i)
		switch {
		case n == 1:
		case s.Markdown:
			fmt.Fprintf(&b, "# %s\n\n", tables.Markdown(title))
		default:
			fmt.Fprintf(&b, "%s\n", s.Paint.Strong("== "+tables.Printable(title)+" =="))
		}
		b.WriteString(text)
		if i+1 < n {
			b.WriteString("\n")
		}
	}
	return b.String()
}
