package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Verdict answers whether a runtime runs a model correctly within its memory.
type Verdict string

// The verdicts, the worst first.
const (
	DoesNotRun   Verdict = "DOES NOT RUN"  // the runtime refuses the model or crashes
	WrongResults Verdict = "WRONG RESULTS" // a kernel, or the embedded plan, makes outputs wrong
	NotKnown     Verdict = "NOT KNOWN"     // what a kernel requests is not modelled
	DoesNotFit   Verdict = "DOES NOT FIT"  // a budget is exceeded
	Fits         Verdict = "FITS"          // all budgets are met
	Requires     Verdict = "REQUIRES"      // there is no budget
)

// verdicts are all, the worst first.
var verdicts = []Verdict{DoesNotRun, WrongResults, NotKnown, DoesNotFit, Fits, Requires}

// bad reports whether a build should fail.
func (v Verdict) bad() bool { return v != Fits && v != Requires }

// faultVerdict returns the verdict on a model with such faults, or "" if none fails it.
func faultVerdict(faults []Fault) (v Verdict) {
	for _, f := range faults {
		switch {
		case f.Fails && f.Kind == rules.DoesNotRun:
			return DoesNotRun
		case f.Fails:
			v = WrongResults
		}
	}
	return v
}

// faultNote returns the note of the faults of a verdict, and the others.
func faultNote(v Verdict, list []Note) (text string, others []Note) {
	kind := map[Verdict]NoteKind{DoesNotRun: WarnCannotRun, WrongResults: WarnWrong}[v]
	for _, n := range list {
		if text == "" && n.Kind == kind {
			_, text, _ = strings.Cut(n.Text, ": ")
			continue
		}
		others = append(others, n)
	}
	return text, others
}

// painted returns a verdict in its colour.
func (s Style) painted(v Verdict) string {
	switch {
	case v.bad():
		return s.Paint.Bad(string(v))
	case v == Fits:
		return s.Paint.Good(string(v))
	}
	return s.Paint.Strong(string(v))
}

// answer writes the first line of a report: a verdict, what it is about, and the kernels and the ABI that
// it is for.
func (s Style) answer(b *strings.Builder, v Verdict, text, build string) {
	separator := ": "
	if v == Requires {
		separator = " "
	}
	const most = 400 // names may have any length
	text = tables.Elide(tables.Printable(text), most)
	if build != "" {
		text += " (" + build + ")"
	}
	if s.Markdown {
		fmt.Fprintf(b, "- **%s**%s%s\n", v, separator, tables.Markdown(text))
		return
	}
	lead := len(v) + len(separator)
	b.WriteString(s.painted(v) + separator + tables.Wrap(text, s.Width, lead, indentLine) + "\n")
}

// Against compares the required arena with a budget, both in bytes.
func Against(required, budget int64) string {
	return Style{}.against("requires", required, budget, "budget")
}

// against compares a figure with a budget, both in bytes.
func (s Style) against(what string, actual, limit int64, limitName string) string {
	if actual <= limit {
		return fmt.Sprintf("%s %s, %s %s, spare %s", what, s.short(actual), limitName, s.short(limit), s.short(limit-actual))
	}
	return fmt.Sprintf("%s %s, %s %s, over by %s", what, s.short(actual), limitName, s.short(limit), s.short(actual-limit))
}
