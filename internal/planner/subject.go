package planner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// A subject is a model that is open, with its report.
type subject struct {
	say   func(Reply)
	model *tflite.Model
	made  *app.Maker
	// fitted is the required arena in bytes after fit, zero without a gain.
	fitted int64
}

// open reads a model and makes its report.
func (p *Planner) open(ctx context.Context, r *Request, data []byte) (*subject, error) {
	if aliases := rules.Aliases(); !slices.Contains(aliases, rules.Alias(r.Alias)) {
		return nil, fmt.Errorf("memory of inputs: %q is not one of %q", r.Alias, aliases)
	}
	if network, ok := strings.CutPrefix(r.Name, shell.Builtin); ok && len(data) == 0 {
		var err error
		if data, err = models.Build(network, models.Options{Weights: models.Zero}); err != nil {
			return nil, err
		}
	}
	m, err := tflite.Parse(data, r.Name)
	if err != nil {
		return nil, err
	}
	s := &subject{say: p.say, model: m}
	device, err := rules.UsualDevice(r.Kernels)
	if err != nil {
		return nil, fmt.Errorf("kernels %q: %w", r.Kernels, err)
	}
	v, err := device.Rules().View(m, -1)
	if err != nil {
		return nil, err
	}
	subject, err := app.Micro(ctx, v, device, rules.WithRelease(r.chosenKernels()))
	if err != nil {
		return nil, err
	}
	if err := lifetime.CheckRecords(subject.Records); err != nil {
		return nil, err
	}
	s.made, err = app.Make(ctx, ctx, subject, app.Ask{
		Alias: rules.Alias(r.Alias), Commands: app.Commands{
			Rewrite: shell.Smaller("rewrite", m.Name, r.flags()...),
			Reorder: shell.Smaller("rewrite", m.Name, r.flags("--reorder")...),
			Repair:  shell.Repaired(m.Name, r.flags()...),
		},
		Options: alloc.Options{SearchTime: alloc.DefaultSearchTime}, Solve: s.solve,
	})
	return s, err
}

// chosenKernels returns the chosen kernels, "" for the default.
func (r *Request) chosenKernels() string {
	if r.Kernels == notes.Reference {
		return ""
	}
	return r.Kernels
}

// flags returns the settings as command-line flags of the command, before others.
func (r *Request) flags(others ...string) (list []string) {
	if k := r.chosenKernels(); k != "" {
		list = append(list, "--kernels", k)
	}
	if r.Alias != string(rules.NoAlias) {
		list = append(list, "--alias", r.Alias)
	}
	return append(list, others...)
}

// solve runs a strategy and reports progress.
func (s *subject) solve(ctx context.Context, records []lifetime.Record, o alloc.Options) (*alloc.Plan, error) {
	s.progress("planning by " + o.Strategy)
	o.Progress = func(now alloc.Progress) {
		s.progress(fmt.Sprintf("planning by %s: %s", o.Strategy, units.Bytes(now.Total)))
	}
	return alloc.Solve(ctx, records, o)
}

func (s *subject) progress(text string) { s.say(Reply{Kind: "progress", Message: text}) }

// document returns the document of the report, as in the command.
func (s *subject) document() (Reply, error) {
	data, err := document(s.made.Report)
	return Reply{Kind: "report", Data: data}, err
}

func document(r *results.Report) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(results.NewDocument("report", true, []any{r}))
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
