package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/takeover"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// job is an input to be planned.
type job struct {
	title, runtime string
	// records are what a plan places: the rows of a problem, or the tensors of a model and
	// then its scratch. Every plan that is shown or written is one of these.
	records         []lifetime.Record
	notes, warnings []results.Note
	// problem is set when the input is one, view when it is a model.
	problem *problem.Problem
	view    *rules.View
	// scratch is what the kernels of a model ask for.
	scratch []rules.Request
	// alias is which takeovers were asked for; choice, of what shares memory on purpose, is set
	// where any were.
	alias  rules.Alias
	choice *takeover.Choice
}

// job reads the input and derives its usage records. Specs are what the plan is written
// to; ctx bounds the look at which tensors are to share memory.
func (p *program) job(ctx context.Context, c *cli.Context, specs []output.Spec) (*job, error) {
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
	if err == nil && p.shapes != nil {
		err = j.checkShapes(specs)
	}
	if err == nil {
		err = scratchForC(c, specs)
	}
	if err == nil && c.IsSet("align") {
		err = j.align(c)
	}
	if err == nil {
		err = j.addScratch(c)
	}
	if err == nil {
		err = j.share(ctx, c, specs)
	}
	return j, err
}

// micro reports whether the input is a model as TensorFlow Lite Micro sees it.
func (j *job) micro() bool { return j.view != nil && j.view.Rules.IsMicro() }

// align makes every offset a multiple of the bytes of --align: a model is seen as by a runtime
// that aligns so, for scratch and takeovers to go by the same.
func (j *job) align(c *cli.Context) error {
	bytes, err := sizeOf(c, "align", 1)
	if err != nil {
		return err
	}
	if j.view == nil {
		for i := range j.records {
			j.records[i].Align = bytes
		}
	} else {
		r := j.view.Rules
		r.Align = bytes
		if j.view, err = r.View(j.view.Model, j.view.Subgraph); err != nil {
			return named(j.title, err)
		}
		j.records = j.view.Records()
	}
	if err := lifetime.CheckRecords(j.records); err != nil {
		return named(j.title, invalidError{fmt.Errorf("with --align %d: %w", bytes, err)})
	}
	return nil
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
	v, err := p.view(title, data, r, subgraph)
	if err != nil {
		return nil, err
	}
	j.view, j.runtime, j.records, j.warnings = v, r.Name, v.Records(), warnings(v)
	j.notes = j.viewNotes(v.Notes)
	return j, nil
}

// addScratch adds what --scratch names to the records.
func (j *job) addScratch(c *cli.Context) (err error) {
	switch {
	case c.String("scratch") == scratchNone:
		return nil
	case !j.micro():
		return usagef("--scratch %s: scratch is planned with the tensors of a model by TensorFlow Lite Micro alone: leave --scratch out", c.String("scratch"))
	}
	if j.scratch, err = requests(c, j.view.Model); err != nil {
		return err
	}
	j.records = j.view.WithScratch(j.scratch)
	j.notes = append(j.viewNotes(j.view.NotesWithScratch()), results.Note{Kind: results.NoteScratch, Text: scratchNote(c, len(j.scratch))})
	if err := lifetime.CheckRecords(j.records); err != nil {
		return named(j.title, invalidError{fmt.Errorf("with --scratch %s: %w", c.String("scratch"), err)})
	}
	return nil
}

func (j *job) readProblem(data []byte) (err error) {
	j.problem, err = problem.Parse(data)
	if err != nil {
		return err
	}
	j.records = j.problem.Records
	for _, column := range j.problem.Unused {
		j.warnings = append(j.warnings, results.Note{
			Kind: results.WarnColumn, Text: fmt.Sprintf("column %q means nothing here and is kept as it is", column),
		})
	}
	if err := lifetime.CheckRecords(j.records); err != nil {
		return invalidError{err}
	}
	return nil
}
