package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/asis"
	"github.com/tflarena/tflarena/internal/deploy"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// fitResult prints what was found, and writes the model where it is as asked for.
func (p *program) fitResult(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report, shortfall *results.Shortfall, specs []output.Spec, style results.Style) error {
	r, err := p.fitReport(c, m, goal, report)
	if err != nil {
		return named(m.Name, err)
	}
	r.Shortfall = shortfall
	o, err := report.Outcome(m, goal)
	if fault := (*fit.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, fmt.Errorf(faultText+"%w", fault.Err))
	}
	if err != nil {
		return named(m.Name, err)
	}
	r.Notes = append(r.Notes, p.fitHints(c, m, goal, report, o)...)
	if !p.fitWrites(c, m, report, o.Verdict) {
		specs = reports(specs)
	}
	for _, s := range specs {
		if holdsModel(s) {
			r.Output = s.Path
		}
	}
	r.Next = nextToHold(c, r.Output, heldArena(goal, report))
	p.sayLacking(c, specs, m)
	err = p.emit(specs, func(format string) ([]byte, error) {
		switch {
		case format == modelFormat:
			return o.Data, nil
		case slices.Contains(deploy.Names(), format):
			return deployedData(c, format, m.Name, o.Data, report.Rungs[report.Best].Smallest)
		}
		return p.document(c.Command.Name, []any{r})
	}, func() string { return r.Text(style) })
	if err == nil {
		p.aside(c, specs, r.Text(style))
	}
	return err
}

// fitReport returns what was found as people and JSON have it, and warns of what is wrong with
// the model.
func (p *program) fitReport(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report) (*results.Fit, error) {
	r := results.NewFit(m.Name, report, goal)
	r.Warnings = append(r.Warnings, unusual(m)...)
	r.Warnings = append(r.Warnings, microRefusals(m)...)
	v, err := microView(m)
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, fileWarnings(v)...)
	p.warn(c, m.Name, r.Warnings)
	r.Notes = append(r.Notes, results.Note{Kind: results.NoteScratch, Text: scratchNote(c, len(goal.Scratch(m)))})
	if n := report.Rungs[report.Best].Takeovers; n > 0 {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteTakeovers, Text: aliasNote(goal.Alias, n)})
	}
	return r, nil
}

// fitWords say why a model is not written, or not changed.
var fitWords = map[fit.Verdict]string{
	fit.UnmetSoFar:    "the budget is not met so far; no model is written",
	fit.Unmet:         "the budget is not met; no model is written",
	fit.ForeignStays:  "the output is a copy of the input",
	fit.OutOfTime:     "nothing was gained until then; the output is a copy of the input",
	fit.NothingToGain: "nothing to gain; the output is a copy of the input",
}

// fitCodes are the exit codes of verdicts, where they are not zero.
var fitCodes = map[fit.Verdict]int{fit.UnmetSoFar: exitNoAnswer, fit.Unmet: exitCheck}

// fitWrites says what became of the goal, sets the exit code, and reports whether the model is
// to be written. After an interrupt it is where it is a gain, and no copy is.
func (p *program) fitWrites(c *cli.Context, m *tflite.Model, report *fit.Report, verdict fit.Verdict) bool {
	if report.Interrupted && c.Context.Err() != nil {
		p.code = exitInterrupted
		outcome := "no model is written"
		if verdict == fit.Gained {
			outcome = "it is written"
		}
		fmt.Fprintf(p.stderr, "%s: %s: interrupted; this is the best so far, and %s\n", name, m.Name, outcome)
		return verdict == fit.Gained
	}
	if report.Interrupted {
		p.say(c, m.Name, "note", fmt.Sprintf("--time-limit %s reached; this is the best so far", c.Duration("time-limit")))
	}
	p.code = max(p.code, fitCodes[verdict])
	if words, ok := fitWords[verdict]; ok {
		p.say(c, m.Name, "note", words)
	}
	return verdict.Writes()
}

// fitHints returns what is to be known of the plan that the model carries, and what flags may
// gain more.
func (p *program) fitHints(c *cli.Context, m *tflite.Model, goal fit.Goal, report *fit.Report, o *fit.Outcome) (notes []results.Note) {
	if report.Foreign != "" && !goal.Force {
		notes = append(notes, results.Note{Kind: results.NoteForeign, Text: "the plan is another tool's: " + report.Foreign + "; --force replaces it"})
	}
	if o.ForeignLost {
		p.warn(c, m.Name, results.Notes(results.WarnForeignLost, []string{asis.ForeignGoes(report.Foreign)}))
	}
	if s := report.Sharing; s != nil {
		note := fmt.Sprintf("a short search with --alias %s reached a head of %s B and a smallest arena of %s B", s.Alias, units.Exact(s.Head), units.Exact(s.Arena))
		notes = append(notes, results.Note{Kind: results.NoteAlias, Text: note})
	}
	for _, note := range notes {
		p.say(c, m.Name, "note", note.Text)
	}
	return notes
}

// reports leaves models, and what is made of them, out of what is to be written.
func reports(specs []output.Spec) (kept []output.Spec) {
	for _, s := range specs {
		if s.Format != modelFormat && !isDeployed(s) {
			kept = append(kept, s)
		}
	}
	return kept
}
