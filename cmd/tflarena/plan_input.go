package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// job is an input to plan.
type job struct {
	title, runtime string
	// records are the records of a plan: the rows of a problem, or the tensors of a model followed by
	// its scratch. Every plan that is shown or written places these.
	records         []lifetime.Record
	notes, warnings []results.Note
	// problem is set for a CSV problem, view for a model.
	problem *problem.Problem
	view    *rules.View
	// cases are set for a problem of tiles, and then nothing else is.
	cases []tilejson.Case
	// device is the device of a model in TensorFlow Lite Micro, and scratch the requests of its
	// kernels.
	device  rules.Device
	scratch []rules.Request
	// alias is the permitted level of sharing; choice, the chosen sharing, is set for all but none.
	alias  rules.Alias
	choice *inplace.Choice
	// capacity is the requested capacity in bytes; zero or less without one.
	capacity int64
}

// job reads the input and derives its usage records. Specs are the outputs; ctx bounds the choice of
// tensors that share memory.
func (p *program) job(ctx context.Context, c *cli.Context, specs []output.Spec) (*job, error) {
	r, err := runtimeOf(c)
	if err != nil {
		return nil, err
	}
	j, err := p.read(c.Args().First(), &r)
	if err == nil && j.cases != nil {
		return j, j.checkTiles(c, specs)
	}
	if err == nil && c.IsSet(semanticsFlag) {
		return nil, usagef("--%s is for problems of tiles, and %s is not one: leave it out", semanticsFlag, j.title)
	}
	if flag := firstSet(c, runtimeFlags()); err == nil && flag != "" && j.problem != nil {
		return nil, usagef("%s is only for models, and %s is a CSV problem: leave the flag out", flag, j.title)
	}
	if err == nil {
		err = j.checkExports(specs)
	}
	if err == nil && p.shapes != nil {
		err = j.checkShapes(specs)
	}
	if err == nil && c.IsSet("align") {
		err = j.align(c)
	}
	if err == nil {
		err = j.addScratch(p.ctx, &r.target)
	}
	if err == nil && j.micro() {
		j.notes = append(j.notes, p.shapeNotes()...)
	}
	if err == nil {
		err = p.share(ctx, c, j, specs)
	}
	return j, err
}

// micro reports whether the input is a model as TensorFlow Lite Micro sees it.
func (j *job) micro() bool { return j.view != nil && j.view.Rules.IsMicro() }

// align makes every offset a multiple of --align: scratch and in-place outputs of a model are then
// derived as by a runtime with that alignment.
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
func (p *program) read(arg string, r *runtimeChoice) (*job, error) {
	data, title, err := p.load(arg)
	if err != nil {
		return nil, err
	}
	j := &job{title: title}
	if isTiles(title, data) {
		return j, named(title, j.readTiles(data))
	}
	if isProblem(title, data) {
		return j, named(title, j.readProblem(data))
	}
	v, err := p.view(title, data, r)
	if err != nil {
		return nil, err
	}
	j.view, j.runtime, j.records, j.warnings = v, r.rules.Name, v.Records(), remarks.Warnings(v)
	j.notes = j.viewNotes(v.Notes)
	return j, nil
}

// addScratch adds the scratch of --scratch to the records of a model in TensorFlow Lite Micro, so that
// its head is the interpreter's.
func (j *job) addScratch(ctx context.Context, t *target) (err error) {
	switch {
	case !j.micro() && len(t.scratchFlag) > 0 && t.scratch != rules.NoScratch:
		return usagef("--scratch %s: only TensorFlow Lite Micro plans scratch together with the tensors of a model: leave --scratch out", t.scratch)
	case !j.micro() && t.kernels != "":
		return usagef("--kernels %s: only TensorFlow Lite Micro has these kernels: leave --kernels out", t.kernels)
	case !j.micro():
		return nil
	}
	if j.device, err = t.on(ctx, j.view.Model); err != nil || j.device.ScratchSource() == rules.NoScratch {
		return err
	}
	j.scratch = j.device.Requests(j.view.Model)
	j.records = j.view.WithScratch(j.scratch)
	j.notes = append(j.viewNotes(j.view.NotesWithScratch()), remarks.ScratchNote(j.device, j.view.Model))
	if err := lifetime.CheckRecords(j.records); err != nil {
		return named(j.title, invalidError{fmt.Errorf("with --scratch %s: %w", t.scratch, err)})
	}
	return nil
}
