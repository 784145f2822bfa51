package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// frontierTime is the default time limit of the trade-off table.
const frontierTime = 10 * time.Second

// frontierDocument is the command's name in JSON without a budget.
const frontierDocument = "fit frontier"

// frontierFormats are the output formats of fit without a budget.
var frontierFormats = withPictures("json")

// asksFrontier reports whether the command line has no budget for fit.
func asksFrontier(c *cli.Context) bool {
	return !c.IsSet("arena") && !c.IsSet("head") && !c.Bool("least")
}

// fitFrontier prints the trade-off between arena and extra work.
func (p *program) fitFrontier(c *cli.Context, goal fit.Goal) error {
	in, err := p.invocation(c, p.frontierOutputs)
	if err != nil {
		return err
	}
	in.command = frontierDocument
	m, err := in.loadModel()
	if err != nil {
		return err
	}
	if err := refuseFaults(c, m, goal.Device); err != nil {
		return in.failed(err)
	}
	if goal.Device, err = deviceFor(c, m); err == nil {
		err = p.knownArena(c, m, goal)
	}
	if err != nil {
		return in.failed(err)
	}
	if !c.IsSet("alias") {
		goal.Alias = rules.Aliases()[len(rules.Aliases())-1]
	}
	ctx, cancel := limited(c.Context, c, frontierTime)
	defer cancel()
	line := p.fitLine(c, &goal, "looking for possible arenas")
	defer lessCollecting(c, m)()
	s, err := fit.Frontier(ctx, m, goal)
	line.Stop()
	if err != nil {
		return in.failed(named(m.Name, hint(err)))
	}
	return in.frontierResult(m, goal, s)
}

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
	return specs, p.apart(c, specs)
}

func (in *invocation) frontierResult(m *tflite.Model, goal fit.Goal, s *fit.Survey) error {
	p, c := in.p, in.c
	r := results.NewFrontier(m.Name, s, goal)
	faults := goal.Device.Rules().Faults(m)
	r.Faults = results.NewFaults(faults)
	r.Warnings = append(remarks.Unusual(m), remarks.AllFaults(faults)...)
	p.warn(c, m.Name, r.Warnings)
	r.Notes = append(r.Notes, remarks.ScratchNote(goal.Device, m))
	if s.Foreign != "" && !goal.Force {
		r.Notes = append(r.Notes, results.Note{
			Kind: results.NoteForeign,
			Text: "the model carries the plan of another tool, so nothing was tried: " + s.Foreign + "; --force tries without that plan",
		})
	}
	file := c.Args().First()
	if point, ok := s.Worthwhile(); len(rules.Stop(faults)) > 0 {
		r.CannotRun(shell.Command("analyze", file, "--runtime", rules.LiteRT().Name))
	} else if ok && point.Known() {
		flags := append(asked(c, "max-overhead", "scratch", "force"), sameDevice(c)...)
		r.Next = shell.Command("fit", file, append(flags, "--arena", fmt.Sprint(point.Budget), "-o", shell.Smaller(file))...)
	}
	switch {
	case c.Context.Err() != nil:
		p.interrupted(m.Name, "this is what was found so far")
	case s.Interrupted && c.IsSet("time-limit"):
		p.say(c, m.Name, "note", fmt.Sprintf("--time-limit %s was reached before everything was tried", limitOf(c)))
	case s.Interrupted:
		p.say(c, m.Name, "note", fmt.Sprintf("not everything was tried within %s: allow more time with --time-limit", frontierTime))
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		return p.document(in.command, []any{r})
	}, func() string { return r.Text(in.style) })
}
