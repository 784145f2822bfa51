package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// frontierDocument is the command's name in JSON without a budget.
const frontierDocument = "fit frontier"

// frontierFormats are the output formats of fit without a budget.
var frontierFormats = withPictures("json")

// frontierOutputs reads the outputs of the trade-off table: no model is written.
func (p *program) frontierOutputs(c *cli.Context) ([]output.Spec, error) {
	specs, err := output.ParseModel(outputTexts(c), append([]string{modelFormat}, frontierFormats...), inputs(c), output.AnotherPath)
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		if s.Format == modelFormat {
			return nil, usagef("fit: -o %s needs a budget: add --arena SIZE, --head SIZE or --least; without -o, fit shows which arenas are possible", s.Path)
		}
	}
	return specs, p.rejectMixedOutputs(c, specs)
}

// fitFrontier prints the trade-off between arena and extra work.
func (in *invocation) fitFrontier(f *fitFlags, m *tflite.Model) error {
	p := in.p
	ctx, cancel := p.limit.within(p.ctx, fitTime)
	defer cancel()
	line := p.fitLine(&f.Goal, "looking for possible arenas")
	r, s, err := app.Frontier(ctx, m, f.Goal)
	line.Stop()
	if err != nil {
		return in.failed(named(m.Name, hint(err)))
	}
	f.addRemedies(nil, r.Notes, r.Warnings)
	p.warn(m.Name, r.Warnings)
	if s.Foreign != "" && !f.Force {
		r.Notes = append(r.Notes, results.Note{
			Kind: results.NoteForeign,
			Text: "the model carries the plan of another tool, so nothing was tried: " + s.Foreign + "; --force tries without that plan",
		})
	}
	if r.Time, err = f.time(p, m, -1, r.OwnMACs); err != nil {
		return err
	}
	r.Board = f.board
	r.BudgetBytes = (*int64)(p.project.file.For(in.file, f.board.Name).Arena)
	r.Decide()
	if point, ok := s.Worthwhile(); len(rules.Stop(f.Device.Rules().Faults(m))) > 0 {
		r.CannotRun(shell.Command("analyze", in.file, "--runtime", rules.LiteRT().Name))
	} else if ok && point.Known() {
		r.Next = shell.Smaller("fit", in.file, concat(f.again, []string{"--arena", fmt.Sprint(point.Required)})...)
	}
	switch {
	case p.ctx.Err() != nil:
		p.interrupted(m.Name, "this is what was found so far")
	case s.Interrupted && p.limit.asked > 0:
		p.say(m.Name, "note", fmt.Sprintf("--time-limit %s was reached before everything was tried", p.limit.asked))
	case s.Interrupted:
		p.say(m.Name, "note", fmt.Sprintf("not everything was tried within %s: allow more time with --time-limit", fitTime))
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		return p.document(in.command, []any{r})
	}, func() string { return r.Text(in.style) })
}
