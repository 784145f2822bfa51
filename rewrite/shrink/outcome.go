package shrink

import (
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Verdict is the consequence of a [Fit] for the model.
type Verdict int

// Verdicts. If nothing was gained, the file is a copy of the model.
const (
	Gained        Verdict = iota // the best step is the result
	ForeignStays                 // a copy: another tool's plan stays without [Goal.Force]
	OutOfTime                    // a copy: nothing was gained before the context ended
	NothingToGain                // a copy: nothing improves on the unmodified model
	Unmet                        // no file, since the budget is not met
	UnmetSoFar                   // likewise, and the context ended before everything was tried
)

// Writes reports whether a file is to be written.
func (v Verdict) Writes() bool { return v != Unmet && v != UnmetSoFar }

// Outcome is the consequence of a report.
type Outcome struct {
	Verdict Verdict
	// Data is the file of the best step, or the model's own if nothing was gained. It is also
	// set if a budget is not met and the file must not be written.
	Data []byte
	// ForeignLost reports that another tool's plan, as described by [Report.Foreign], is
	// missing from Data.
	ForeignLost bool
}

// Outcome decides the consequence of the report for the model, under the goal of the search. It
// checks the new file like any other and returns a [*rewrite.FaultError] if the new file would
// not run although the model does.
func (r *Report) Outcome(m *tflite.Model, g Goal) (*Outcome, error) {
	best := &r.Steps[r.Best]
	o := &Outcome{Verdict: r.verdict(g), Data: m.Data}
	if best.Data == nil {
		return o, nil
	}
	o.Data, o.ForeignLost = best.Data, r.Foreign != "" && g.Force
	after, err := tflite.Parse(best.Data, m.Name)
	if err == nil {
		err = embedded.StillRuns(m, after, g.Device)
	}
	if err != nil {
		return nil, &rewrite.FaultError{Err: err}
	}
	return o, nil
}

func (r *Report) verdict(g Goal) Verdict {
	budget, gained := g.HeadBudget != 0 || g.Budget != 0, len(r.Steps) > 1
	switch {
	case budget && !r.Met && r.Interrupted:
		return UnmetSoFar
	case budget && !r.Met:
		return Unmet
	case gained:
		return Gained
	case r.Foreign != "" && !g.Force:
		return ForeignStays
	case r.Interrupted:
		return OutOfTime
	}
	return NothingToGain
}
