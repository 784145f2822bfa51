package planner

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// Made describes a model that was made from the open one.
type Made struct {
	// File is a name for it, and Plan the name of its plan in the report, "" where it is not there.
	File string `json:"file"`
	Plan string `json:"plan"`
	// Before and After are the figures of the open model and of this one.
	Before rules.Figures `json:"before"`
	After  rules.Figures `json:"after"`
	// Changed says that the file is no copy.
	Changed bool `json:"changed"`
}

// file returns a file name for a new model, with how it was made.
func (s *subject) file(how string) string {
	base := strings.TrimPrefix(path.Base(s.model.Name), shell.Builtin)
	return strings.TrimSuffix(base, path.Ext(base)) + "-" + how + ".tflite"
}

// rewrite returns the model with its embedded plan.
func (s *subject) rewrite(ctx context.Context, r *Request) (Reply, error) {
	name := results.PlanRewritten
	if r.Reorder {
		name = results.GraphReordered
	}
	o := s.made.Rewritten[name]
	if o == nil {
		s.progress("writing the plan into the model")
		made, err := app.Rewrite(ctx, ctx, s.model, app.RewriteOptions{Goal: s.made.Goal(r.Reorder)})
		if err != nil {
			return Reply{}, err
		}
		o = made.Outcome
		s.made.Rewritten[name] = o
	}
	made := &Made{File: s.file(name), Plan: name, Before: o.Before.Stated(), After: o.After.Stated(), Changed: !bytes.Equal(o.Data, s.model.Data)}
	message := o.Reason.Text
	if made.Changed {
		message = gained(made)
	} else if message != "" {
		message += "; the file is a copy"
	}
	return Reply{Kind: "model", Message: message, Model: made, Data: o.Data}, nil
}

// gained describes the change of the required arena.
func gained(m *Made) string {
	if !m.After.Known() {
		return "the required arena is not known"
	}
	return fmt.Sprintf("the required arena is %s, and was %s", units.Bytes(m.After.Required), units.Bytes(m.Before.Required))
}

// fit returns the model that meets a budget, or has the least head.
func (s *subject) fit(ctx context.Context, r *Request) (Reply, error) {
	options := app.FitOptions{Goal: shrink.Goal{Device: s.made.Device, Alias: s.made.Ask.Alias, MaxOverhead: -1, LeastHead: r.Arena == ""}}
	flags := r.flags("--least")
	if r.Arena != "" {
		budget, err := arena(r.Arena)
		if err != nil {
			return Reply{}, err
		}
		options.Budget, flags = budget, r.flags("--arena", r.Arena)
	}
	if _, err := app.Fittable(ctx, s.model, options); err != nil {
		return Reply{}, err
	}
	options.Progress = func(done, all int) {
		s.progress(fmt.Sprintf("looking for cuts: %d of %d runs of operators", done, all))
	}
	s.progress("fitting")
	found, err := app.Fit(ctx, s.model, options)
	if err != nil {
		return Reply{}, err
	}
	o, err := found.Outcome(s.model, found.Goal)
	if err != nil {
		return Reply{}, err
	}
	more, err := s.made.WithFitted(context.WithoutCancel(ctx), found.Goal, shell.Smaller("fit", s.model.Name, flags...), found.Report)
	if err != nil {
		return Reply{}, err
	}
	best := &found.Steps[found.Best]
	made := &Made{File: s.file(results.GraphFitted), Plan: results.GraphFitted, Before: found.Steps[0].Stated(), After: best.Stated(), Changed: o.Verdict == shrink.Gained}
	if best.Data == nil {
		made.Plan = ""
	} else if o.Verdict == shrink.Gained && best.Known() && (s.fitted == 0 || best.Required < s.fitted) {
		s.fitted = best.Required
	}
	reply := Reply{Kind: "model", Message: fitted(made, options.Budget, o.Verdict, found.Report), Model: made}
	if o.Verdict.Writes() {
		reply.Data = o.Data
	}
	reply.Report, err = document(more)
	return reply, err
}

// fitted describes the result of a search.
func fitted(m *Made, budget int64, verdict shrink.Verdict, found *shrink.Report) string {
	// The least head can require a larger arena.
	text := fmt.Sprintf("the head is %s, and was %s; %s", units.Bytes(m.After.Head), units.Bytes(m.Before.Head), gained(m))
	switch {
	case verdict == shrink.UnmetSoFar:
		text = fmt.Sprintf("stopped; the best so far is %s above the budget: %s", units.Bytes(m.After.Required-budget), text)
	case verdict == shrink.Unmet:
		text = fmt.Sprintf("the budget is not met; the closest is %s above it: %s", units.Bytes(m.After.Required-budget), text)
	case verdict == shrink.ForeignStays:
		return "the plan of another tool stays: " + found.Foreign
	case verdict == shrink.OutOfTime:
		return "stopped before anything was gained"
	case verdict == shrink.NothingToGain:
		return "there is nothing to gain"
	case found.Interrupted:
		text = "stopped; this is the best so far: " + text
	}
	if work := extraWork(found); work != "" {
		text += ", with " + work
	}
	if found.NotCut != "" {
		text += "; not cut: " + found.NotCut
	}
	if b := results.NewBottleneck(found.Bottleneck); verdict == shrink.Unmet && b != nil {
		text += "; limited by " + b.String()
	}
	return text
}

// extraWork describes the extra MACs of tiling.
func extraWork(found *shrink.Report) string {
	extra := found.Steps[found.Best].ExtraMACs
	if extra <= 0 {
		return ""
	}
	return fmt.Sprintf("%s more multiply-accumulates (%s)", units.Number(extra), units.Percent(extra, found.OwnMACs))
}
