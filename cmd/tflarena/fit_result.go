package main

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// fitResult prints the result, and writes the model if it meets the goal.
func (in *invocation) fitResult(f *fitFlags, m *tflite.Model, found *app.Fitted) error {
	p := in.p
	r, o, err := found.Result(wayText)
	if fault := (*rewrite.FaultError)(nil); errors.As(err, &fault) {
		return named(m.Name, faultError{fault.Err})
	}
	if err != nil {
		return named(m.Name, invalidError{err})
	}
	if r.Time, err = f.time(p, m, -1, r.OwnMACs); err != nil {
		return err
	}
	f.addRemedies(app.OtherKernels(m, f.Device), r.Notes, r.Warnings)
	p.warn(m.Name, r.Warnings)
	alias, best := found.Goal.Alias, found.Steps[found.Best]
	if best.Takeovers > 0 {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteInPlace, Text: aliasNote(alias, f.Device.Kernels, best.Takeovers)})
	}
	if best.Overlaps > 0 {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteOverlaps, Text: overlapNote(alias, f.Device.Kernels, best.Overlaps)})
	}
	r.Notes = append(append(r.Notes, orderNotes(alias, f.Device.Kernels, best.Overlaps)...), p.fitHints(m, found, o)...)
	if !p.fitWrites(m, found.Report, o.Verdict) {
		in.specs = jsonOutputs(in.specs)
	}
	if err := in.firmwareFolder(&f.target, m); err != nil {
		return err
	}
	for _, s := range in.specs {
		if holdsModel(s) {
			r.Output = s.Path
		}
	}
	if err := in.sayLinks(); err != nil {
		return err
	}
	held := found.Held()
	if !isScratchWord(f.scratch) {
		held = 0 // the file has the scratch of other operators
	}
	if r.Next = f.nextToHold(r.Output, held, found.Faults); found.Missed() {
		r.Next = f.nextToMeet(in.file, found)
	}
	return in.emitModel(madeModel{of: m, data: o.Data, required: found.Required(), on: f.target}, r)
}

// nextToMeet returns the command line that meets a budget, as a way that was tried does, or "".
func (f *fitFlags) nextToMeet(file string, found *app.Fitted) string {
	way := found.Remedy()
	if way == nil {
		return ""
	}
	alias, overhead, others := wayFlags(way)
	if alias == nil {
		alias = f.alias
	}
	if overhead == nil {
		overhead = f.overhead
	}
	return shell.Smaller("fit", file, concat(f.budget, alias, overhead, others, f.others)...)
}

// fitWords are the reasons why a model is not written, or not changed.
var fitWords = map[shrink.Verdict]string{
	shrink.UnmetSoFar:    "the budget is not met so far; no model is written",
	shrink.Unmet:         "the budget is not met; no model is written",
	shrink.ForeignStays:  "the output is a copy of the input",
	shrink.OutOfTime:     "nothing was gained in that time; the output is a copy of the input",
	shrink.NothingToGain: "nothing to gain; the output is a copy of the input",
}

// fitCodes are the nonzero exit codes of verdicts.
var fitCodes = map[shrink.Verdict]int{shrink.UnmetSoFar: exitNoAnswer, shrink.Unmet: exitCheck}

// fitWrites prints the verdict, sets the exit code, and reports whether to write the model. After an
// interrupt a gain is written, a copy is not.
func (p *program) fitWrites(m *tflite.Model, report *shrink.Report, verdict shrink.Verdict) bool {
	if report.Interrupted && p.ctx.Err() != nil {
		outcome := "no model is written"
		if verdict == shrink.Gained {
			outcome = "it is being written"
		}
		p.interrupted(m.Name, "this is the best so far, and "+outcome)
		return verdict == shrink.Gained
	}
	if report.Interrupted {
		p.say(m.Name, "note", fmt.Sprintf("--time-limit %s was reached; this is the best so far", p.limit.ending()))
	}
	p.code = max(p.code, fitCodes[verdict])
	if words, ok := fitWords[verdict]; ok {
		p.say(m.Name, "note", words)
	}
	return verdict.Writes()
}

// fitHints returns notes on the embedded plan, and flags that may gain more.
func (p *program) fitHints(m *tflite.Model, found *app.Fitted, o *shrink.Outcome) (notes []results.Note) {
	if found.Foreign != "" && !found.Goal.Force {
		notes = append(notes, results.Note{Kind: results.NoteForeign, Text: "the plan is another tool's: " + found.Foreign + "; --force replaces it"})
	}
	if o.ForeignLost {
		p.warn(m.Name, results.Notes(results.WarnForeignLost, []string{embedded.ForeignGoes(found.Foreign)}))
	}
	for _, note := range notes {
		p.say(m.Name, "note", note.Text)
	}
	return notes
}
