package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// fitResult prints the result, and writes the model if it meets the goal.
func (in *invocation) fitResult(m *tflite.Model, goal fit.Goal, report *fit.Report, shortfall *results.Shortfall) error {
	p, c := in.p, in.c
	r, err := p.fitReport(c, m, goal, report)
	if err != nil {
		return named(m.Name, err)
	}
	r.Shortfall = shortfall
	o, err := report.Outcome(m, goal)
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, faultError{fault.Err})
	}
	if err != nil {
		return named(m.Name, err)
	}
	r.Notes = append(r.Notes, p.fitHints(c, m, goal, report, o)...)
	if !p.fitWrites(c, m, report, o.Verdict) {
		in.specs = jsonOutputs(in.specs)
	}
	for _, s := range in.specs {
		if holdsModel(s) {
			r.Output = s.Path
		}
	}
	if err := in.sayLinks(); err != nil {
		return err
	}
	r.Next = nextToHold(c, r.Output, heldArena(goal, report), goal.Device.Rules().Faults(m))
	return in.emitModel(product{of: m, data: o.Data, arena: report.Rungs[report.Best].Stated().Required}, r)
}

// fitReport returns the result for people and JSON, and warns of faults of the model.
func (p *program) fitReport(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report) (*results.Fit, error) {
	v, err := microView(goal.Device, m)
	if err != nil {
		return nil, err
	}
	r := results.NewFit(m.Name, report, goal)
	r.Warnings = remarks.Warnings(v)
	if marker, hint := othersHint(c, m, goal.Device); marker != nil {
		r.Warnings = append(r.Warnings, results.PlanWarning(embedded.Broken, fmt.Sprintf(
			"the memory plan that the model carries is for other kernels, %s, and is taken out%s", marker.Kernels, hint)))
	}
	p.warn(c, m.Name, r.Warnings)
	r.Notes = append(r.Notes, remarks.ScratchNote(goal.Device, m))
	if n := report.Rungs[report.Best].Takeovers; n > 0 {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteTakeovers, Text: aliasNote(goal.Alias, goal.Device.Kernels, n)})
	}
	n := report.Rungs[report.Best].Overlaps
	if n > 0 {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteOverlaps, Text: overlapNote(goal.Alias, goal.Device.Kernels, n)})
	}
	r.Notes = append(r.Notes, orderNotes(goal.Alias, goal.Device.Kernels, n)...)
	return r, nil
}

// fitWords are the reasons why a model is not written, or not changed.
var fitWords = map[fit.Verdict]string{
	fit.UnmetSoFar:    "the budget is not met so far; no model is written",
	fit.Unmet:         "the budget is not met; no model is written",
	fit.ForeignStays:  "the output is a copy of the input",
	fit.OutOfTime:     "nothing was gained in that time; the output is a copy of the input",
	fit.NothingToGain: "nothing to gain; the output is a copy of the input",
}

// fitCodes are the nonzero exit codes of verdicts.
var fitCodes = map[fit.Verdict]int{fit.UnmetSoFar: exitNoAnswer, fit.Unmet: exitCheck}

// fitWrites prints the verdict, sets the exit code, and reports whether to write the model. After an
// interrupt a gain is written, a copy is not.
func (p *program) fitWrites(c *cli.Context, m *tflite.Model, report *fit.Report, verdict fit.Verdict) bool {
	if report.Interrupted && c.Context.Err() != nil {
		outcome := "no model is written"
		if verdict == fit.Gained {
			outcome = "it is written"
		}
		p.interrupted(m.Name, "this is the best so far, and "+outcome)
		return verdict == fit.Gained
	}
	if report.Interrupted {
		p.say(c, m.Name, "note", fmt.Sprintf("--time-limit %s was reached; this is the best so far", limitOf(c)))
	}
	p.code = max(p.code, fitCodes[verdict])
	if words, ok := fitWords[verdict]; ok {
		p.say(c, m.Name, "note", words)
	}
	return verdict.Writes()
}

// fitHints returns notes on the embedded plan, and flags that may gain more.
func (p *program) fitHints(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report, o *fit.Outcome) (notes []results.Note) {
	if report.Foreign != "" && !goal.Force {
		notes = append(notes, results.Note{Kind: results.NoteForeign, Text: "the plan is another tool's: " + report.Foreign + "; --force replaces it"})
	}
	if o.ForeignLost {
		p.warn(c, m.Name, results.Notes(results.WarnForeignLost, []string{embedded.ForeignGoes(report.Foreign)}))
	}
	if s := report.Sharing; s != nil {
		note := fmt.Sprintf("a short search with --alias %s reached a head of %s B and a required arena of %s B", s.Alias, units.Number(s.Head), units.Number(s.Required))
		notes = append(notes, results.Note{Kind: results.NoteAlias, Text: note})
	}
	for _, note := range notes {
		p.say(c, m.Name, "note", note.Text)
	}
	return notes
}
