package results

import (
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// A ruling is what a verdict follows from.
type ruling struct {
	figures rules.Figures
	faults  []Fault
	// plan is the fault of the embedded plan, as a sentence, or "".
	plan string
	// board has the limit of a model without budgets.
	board   Board
	budgets []Budget
}

// decisive returns the budget that decides: the first that is exceeded or has no figure, or else the
// first. Without budgets it is the limit of the board, or nil.
func (r *ruling) decisive() *Budget {
	for i := range r.budgets {
		if !r.budgets[i].Pass {
			return &r.budgets[i]
		}
	}
	if len(r.budgets) > 0 {
		return &r.budgets[0]
	}
	if bytes, name := r.board.limit(); name != "" {
		b := newBudget(BudgetArena, r.figures, r.figures.Required, bytes, "")
		b.limit = name
		return &b
	}
	return nil
}

func (r *ruling) verdict() Verdict {
	v, b := faultVerdict(r.faults), r.decisive()
	switch {
	case v != "":
		return v
	case r.plan != "":
		return WrongResults
	case r.board.Unmodelled != "", b == nil && !r.figures.Known(), b != nil && b.Unknown:
		return NotKnown
	case b == nil:
		return Requires
	case b.Pass:
		return Fits
	}
	return DoesNotFit
}

// text returns what the verdict is about: for a fault its note, with the other notes.
func (r *ruling) text(s Style, notes []Note) (text string, others []Note) {
	v, b := r.verdict(), r.decisive()
	switch {
	case v == DoesNotRun || v == WrongResults:
		if text, others = faultNote(v, notes); text == "" {
			text = r.plan
		}
		return text, others
	case r.board.Unmodelled != "":
		return "the kernels of " + r.board.Name + " (" + r.board.Unmodelled + ") are not modelled; the reference kernels require " + s.short(r.figures.Required), notes
	case v == Requires:
		return s.bytes(r.figures.Required), notes
	case b == nil:
		return s.unknown(r.figures), notes
	case b.Unknown && !r.figures.Known():
		return b.sentence(s) + ": " + s.unknown(r.figures), notes
	}
	return b.sentence(s), notes
}

// ruled writes the first line of a report, and a line for each budget that is not in it. It returns the
// notes that are not in it either.
func (s Style) ruled(b *strings.Builder, r *ruling, notes []Note, build string) (others []Note) {
	v, said := r.verdict(), r.decisive()
	text, others := r.text(s, notes)
	s.answer(b, v, text, build)
	if v == DoesNotRun || v == WrongResults || r.board.Unmodelled != "" {
		said = nil
	}
	s.budgets(b, r.budgets, said)
	return others
}

// budgets writes a line for each budget but one.
func (s Style) budgets(b *strings.Builder, list []Budget, said *Budget) {
	for i := range list {
		if &list[i] != said {
			s.line(b, "budget", list[i].sentence(s))
		}
	}
}
