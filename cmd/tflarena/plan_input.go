package main

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// read reads a model, a CSV problem, or the cases of a problem of tiles, which has a title only.
func (p *program) read(arg string, r *runtimeChoice) (*app.Problem, []tilejson.Case, error) {
	data, title, err := p.load(arg)
	switch {
	case err != nil:
		return nil, nil, err
	case isTiles(title, data):
		cases, err := tilejson.Parse(data)
		if err != nil {
			return nil, nil, named(title, invalidError{err})
		}
		return &app.Problem{Title: title}, cases, nil
	case isProblem(title, data):
		j, err := app.ReadRows(title, data)
		if err != nil {
			return nil, nil, named(title, invalidError{err})
		}
		return j, nil, nil
	}
	v, err := p.view(title, data, r)
	if err != nil {
		return nil, nil, err
	}
	return app.TensorsOf(v), nil, nil
}

// problem reads the input, on the device and with the permissions of the flags. Specs are the outputs;
// ctx bounds the choice of tensors that share memory.
func (p *program) problem(ctx context.Context, f *planFlags, arg string, specs []output.Spec) (*app.Problem, []tilejson.Case, error) {
	j, cases, err := p.read(arg, &f.runtimeChoice)
	if err != nil {
		return nil, nil, err
	}
	if cases != nil {
		return j, cases, f.checkTiles(j.Title, cases, specs)
	}
	switch {
	case f.ofTiles != "":
		return nil, nil, usagef("%s is for problems of tiles, and %s is not one: leave it out", f.ofTiles, j.Title)
	case f.ofRuntime != "" && j.Rows != nil:
		return nil, nil, usagef("%s is only for models, and %s is a CSV problem: leave the flag out", f.ofRuntime, j.Title)
	}
	j.Cache = f.cache
	if err := checkExports(j, specs, p.shapes != nil); err != nil {
		return nil, nil, err
	}
	if f.align > 0 {
		if err := j.Align(f.align); err != nil {
			return nil, nil, named(j.Title, invalidError{fmt.Errorf("with --align %d: %w", f.align, err)})
		}
	}
	if err := f.addScratch(p.ctx, j); err != nil {
		return nil, nil, err
	}
	if j.IsMicro() {
		j.Notes = append(j.Notes, p.shapeNotes()...)
	}
	switch {
	case f.alias == rules.NoAlias:
		return j, nil, nil
	case !j.IsMicro():
		return nil, nil, usagef("--alias %s: only TensorFlow Lite Micro lets a plan put tensors in the same place: use it with a model and --runtime tflm", f.alias)
	case f.Approach == alloc.Shared:
		return nil, nil, usagef("--alias %s is for offsets: leave --approach %s out", f.alias, alloc.Shared)
	}
	look := f.Strategy
	if slices.ContainsFunc(specs, isFor(func(f export.Format) bool { return f.Program })) {
		look = alloc.Exact // an integer program is the same when its solution is read, whatever the strategy
	}
	if err := j.Share(ctx, f.alias, look); err != nil {
		return nil, nil, named(j.Title, p.solveError(j.Records, err))
	}
	return j, nil, nil
}

// addScratch adds the scratch of --scratch to a model in TensorFlow Lite Micro.
func (r *runtimeChoice) addScratch(ctx context.Context, j *app.Problem) error {
	switch {
	case !j.IsMicro() && len(r.scratchFlag) > 0 && r.scratch != rules.NoScratch:
		return usagef("--scratch %s: only TensorFlow Lite Micro plans scratch together with the tensors of a model: leave --scratch out", r.scratch)
	case !j.IsMicro() && r.word != "":
		return usagef("--kernels %s: only TensorFlow Lite Micro has these kernels: leave --kernels out", r.word)
	case !j.IsMicro():
		return nil
	}
	d, err := r.on(ctx, j.View.Model)
	if err != nil {
		return err
	}
	if err := j.On(d); err != nil {
		return named(j.Title, invalidError{fmt.Errorf("with --scratch %s: %w", r.scratch, err)})
	}
	r.addRemedies(nil, j.Notes, j.Warnings)
	return nil
}
