package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// job is an input to be planned.
type job struct {
	title, runtime  string
	records         []lifetime.Record
	notes, warnings []string
	// problem is set when the input is one, view when it is a model.
	problem *problem.Problem
	view    *rules.View
	// scratch is what the kernels of a model ask for; its records follow those of the
	// tensors.
	scratch []rules.Request
	// aliasing is set when records are of tensors that share memory on purpose.
	aliasing *aliasing
}

// job reads the input and derives its usage records. Specs are what the plan is written
// to.
func (p *program) job(c *cli.Context, specs []output.Spec) (*job, error) {
	r, err := ruleSet(c)
	if err != nil {
		return nil, err
	}
	j, err := p.read(c.Context, c.Args().First(), r, c.Int("subgraph"))
	if flag := runtimeFlagSet(c); err == nil && flag != "" && j.problem != nil {
		return nil, usagef("%s is for models, and %s is a CSV problem, which no runtime sees: leave it out", flag, j.title)
	}
	if err == nil {
		err = j.checkExports(specs)
	}
	if err == nil {
		err = scratchForC(c, specs)
	}
	if err == nil {
		err = j.addScratch(c)
	}
	if err != nil || !c.IsSet("align") {
		if err == nil {
			err = j.merge(c)
		}
		return j, err
	}
	for i := range j.records {
		j.records[i].Align = c.Int64("align")
	}
	if err := lifetime.CheckRecords(j.records); err != nil {
		return nil, named(j.title, invalidError{fmt.Errorf("with --align %d: %w", c.Int64("align"), err)})
	}
	return j, j.merge(c)
}

// read reads a model or a problem and derives its usage records.
func (p *program) read(ctx context.Context, arg string, r rules.Rules, subgraph int) (*job, error) {
	data, title, err := p.load(ctx, arg)
	if err != nil {
		return nil, err
	}
	j := &job{title: title}
	if isProblem(title, data) {
		return j, named(title, j.readProblem(data))
	}
	v, err := view(title, data, r, subgraph)
	if err != nil {
		return nil, err
	}
	j.view, j.runtime, j.records, j.notes, j.warnings = v, r.Name, v.Records(), v.Notes, warnings(v)
	if r.Scopes {
		j.notes = append(j.notes, planNote(v.Model)...)
	}
	return j, nil
}

// addScratch adds what --scratch names to the records.
func (j *job) addScratch(c *cli.Context) (err error) {
	switch {
	case c.String("scratch") == scratchNone:
		return nil
	case j.runtime != "tflm":
		return usagef("--scratch %s: scratch is planned with the tensors of a model by TensorFlow Lite Micro alone", c.String("scratch"))
	}
	if j.scratch, err = requests(c, j.view.Model); err != nil {
		return err
	}
	j.records = j.view.WithScratch(j.scratch)
	j.notes = append(withScratchCounted(j.notes), scratchNote(c, len(j.scratch)))
	if err := lifetime.CheckRecords(j.records); err != nil {
		return named(j.title, invalidError{fmt.Errorf("with --scratch %s: %w", c.String("scratch"), err)})
	}
	return nil
}

// withScratchCounted takes out of a view's notes that scratch is not counted.
func withScratchCounted(notes []string) []string {
	const without = "kernel scratch, the persistent tail and the planning memory are not counted: this is the head without scratch"
	list := slices.Clone(notes)
	for i, note := range list {
		if note == without {
			list[i] = "the persistent tail and the planning memory are not counted: this is the head, with scratch"
		}
	}
	return list
}

func (j *job) readProblem(data []byte) (err error) {
	j.problem, err = problem.Parse(data)
	if err != nil {
		return err
	}
	j.records = j.problem.Records
	for _, column := range j.problem.Unused {
		j.warnings = append(j.warnings, fmt.Sprintf("column %q means nothing here and is kept as it is", column))
	}
	if err := lifetime.CheckRecords(j.records); err != nil {
		return invalidError{err}
	}
	return nil
}

// render writes the plan in one format.
func (j *job) render(format string, r *results.Plan, plan *alloc.Plan, target rules.Target, scratch string) ([]byte, error) {
	switch {
	case format == "json":
		return results.JSON(r)
	case format == "csv" && j.problem == nil:
		return r.CSV()
	case format == "header" || format == "bufferplan":
		return j.export(format, plan, target, scratch)
	case isProgram(format):
		return j.program(format, plan)
	}
	// Shared objects are laid end to end: a row of a problem has an offset, and so
	// has a rectangle.
	if plan.Approach == alloc.Shared {
		var err error
		if plan, err = plan.ToOffsets(j.tensors()); err != nil {
			return nil, err
		}
	}
	if format == "csv" {
		return j.problem.WithOffsets(plan.Offsets)
	}
	title := fmt.Sprintf("%s: %s", j.title, r.Winner)
	if j.runtime != "" {
		title += ", " + j.runtime
	}
	return picture.Map{
		Title: title, Records: j.tensors(), Offsets: plan.Offsets, Total: plan.Total, LowerBound: r.LowerBoundBytes,
	}.SVG(), nil
}
