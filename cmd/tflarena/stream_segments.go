package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/segments"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// manifestFile is the file of a folder of segments that says how they run.
const manifestFile = "manifest.json"

// streamSegments cuts a model into segments, plans them and writes them.
func (p *program) streamSegments(ctx context.Context, c *cli.Context, q streamQuestion, specs []output.Spec, style results.Style) error {
	if err := forSegments(c, specs); err != nil {
		return err
	}
	m, err := p.readTimed(c, &q)
	if err != nil {
		return err
	}
	source := m
	if m, err = q.cut(m); err != nil {
		return err
	}
	stop := p.streamProgress(c, &q.options)
	plan, err := segments.Make(ctx, m, q.rates, q.budget, q.options)
	stop()
	if errors.Is(err, segment.ErrModel) || errors.Is(err, segments.ErrSize) {
		return named(m.Name, invalidError{err})
	}
	if err != nil && !noStreamPlan(err) {
		return named(m.Name, p.streamError(ctx, c, err))
	}
	r := results.NewStream(m.Name, c.String("times"), plan.Network, q.budget, plan.Least, plan.Stream)
	if plan.Stream == nil {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteNoPlan, Text: err.Error()})
		p.code = exitCheck
		p.say(c, m.Name, "no plan", err.Error())
		return p.emitStream(c, jsonOutputs(specs), plan.Network, nil, r, style)
	}
	r.Notes = append(append(r.Notes, segmentNote), q.notes()[1:]...)
	r.Segments, r.Manifest = len(plan.Segments), filepath.Join(c.String("segments"), manifestFile)
	if err := p.writeSegments(c, plan, source, specs); err != nil {
		return err
	}
	p.noteStream(ctx, c, m.Name, r.Interrupted)
	return p.emitStream(c, specs, plan.Network, plan.Stream, r, style)
}

// segmentNote says what the plan of segments rests on.
var segmentNote = results.Note{
	Kind: results.NoteEstimated,
	Text: "the budget counts what LiteRT 2.3.0 needs at most with one thread and without a delegate; it is besides what the process takes before it runs a model",
}

// forSegments refuses outputs that are about addresses, which LiteRT chooses itself.
func forSegments(c *cli.Context, specs []output.Spec) error {
	if c.String("segments") == "" {
		return usagef("--segments: name a folder")
	}
	for _, s := range specs {
		if s.Format == flexnnFormat || s.Format == "c" {
			return usagef("-o %s: with --segments LiteRT decides what lies where: leave one out", s.Format)
		}
	}
	return nil
}

// writeSegments writes the manifest and the files, all of them or none.
// None of them may be the input or one of the outputs.
func (p *program) writeSegments(c *cli.Context, plan *segments.Plan, source *tflite.Model, specs []output.Spec) error {
	data, err := plan.Files()
	if err != nil {
		return named(plan.Model.Name, err)
	}
	manifest, err := p.json(results.NewManifest(plan, source, data))
	if err != nil {
		return err
	}
	dir := c.String("segments")
	var files []output.File
	for i, d := range data {
		files = append(files, output.File{Path: filepath.Join(dir, segments.FileName(i+1)), Data: d})
	}
	files = append(files, output.File{Path: filepath.Join(dir, manifestFile), Data: manifest})
	var others []string
	for _, s := range specs {
		others = append(others, "json="+s.Path)
	}
	for _, f := range files {
		if _, err := output.ParseModel(append(others, "tflite="+f.Path), []string{"tflite", "json"}, inputs(c), output.AnotherPath); err != nil {
			return err
		}
	}
	if err := p.unchanged(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return plainError(err)
	}
	return p.write(files)
}
