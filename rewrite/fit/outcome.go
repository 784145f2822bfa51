package fit

import (
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A Verdict says what becomes of a model that [Fit] looked into.
type Verdict int

// What can become of a model. Where nothing was gained the file is a copy of the model.
const (
	Gained        Verdict = iota // the best rung is what was asked for
	ForeignStays                 // a copy: another tool's plan stays without [Goal.Force]
	OutOfTime                    // a copy: nothing was gained until the context ended
	NothingToGain                // a copy: nothing is better than the model as it is
	Unmet                        // there is no file, since the budget is not met
	UnmetSoFar                   // the same, and the context ended before all was tried
)

// Writes reports whether there is a file to be written.
func (v Verdict) Writes() bool { return v != Unmet && v != UnmetSoFar }

// An Outcome is what comes of a report.
type Outcome struct {
	Verdict Verdict
	// Data is the file of the best rung, or the model's own where nothing was gained: also
	// where a budget is not met, and it is not to be written.
	Data []byte
	// ForeignLost says that the plan of another tool, as [Report.Foreign] shows it, is not
	// in Data any more.
	ForeignLost bool
}

// Outcome decides what becomes of the model that the report is about, under the goal that it was
// made for. It reads the new file like any other; its error is a [*rewrite.FaultError], where the new
// file would not run although the model does.
func (r *Report) Outcome(m *tflite.Model, g Goal) (*Outcome, error) {
	best := &r.Rungs[r.Best]
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
	budget, gained := g.HeadBudget != 0 || g.Budget != 0, len(r.Rungs) > 1
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
