package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite/segment"
)

// streamSegments cuts a model into segments, plans them and writes them.
func (p *program) streamSegments(ctx context.Context, c *cli.Context, q streamQuestion, specs []output.Spec, style results.Style) error {
	if err := forSegments(c, specs); err != nil {
		return err
	}
	if _, err := earlierSegments(c); err != nil {
		return err // before a long search
	}
	m, err := p.readTimed(c, &q)
	if err != nil {
		return err
	}
	source := m
	if m, err = q.cut(ctx, m); err != nil {
		return p.streamError(ctx, c, err)
	}
	stop := p.streamProgress(&q.options)
	plan, err := litert.PlanSegments(ctx, m, q.rates, q.budget, c.Bool(delegateFlag), q.options)
	stop()
	if errors.Is(err, segment.ErrModel) || errors.Is(err, litert.ErrSize) || errors.Is(err, litert.ErrRates) {
		return named(m.Name, invalidError{err})
	}
	if err != nil && !noStreamPlan(err) {
		return named(m.Name, p.streamError(ctx, c, err))
	}
	r := results.NewStream(m.Name, c.String("times"), plan.Network, q.budget, plan.Least, plan.Stream)
	if plan.Stream == nil {
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteNoPlan, Text: err.Error()})
		p.code = exitCheck
		p.say(m.Name, "no plan", err.Error())
		return p.emitStream(c, jsonOutputs(specs), plan.Network, nil, r, style)
	}
	r.PeakBytes = plan.Held() // LiteRT chooses addresses, so that the plan's are meaningless
	r.Notes = append(append(r.Notes, segmentNote(plan.Delegate)), q.notes()[1:]...)
	r.Segments, r.Manifest = len(plan.Segments), filepath.Join(c.String("segments"), manifestFile)
	if err := p.writeSegments(c, plan, source, specs); errors.Is(err, segment.ErrModel) {
		return named(m.Name, invalidError{err})
	} else if err != nil {
		return err
	}
	p.noteStream(ctx, m.Name, r.Interrupted)
	return p.emitStream(c, specs, plan.Network, plan.Stream, r, style)
}

// segmentNote states the assumptions of the plan of segments.
func segmentNote(delegate bool) results.Note {
	how := "without a delegate"
	if delegate {
		how = "with its default delegate, which keeps weights in packed form, too"
	}
	return results.Note{Kind: results.NoteEstimated, Text: "the budget counts what LiteRT 2.3.0 needs at most with one thread and " + how + "; the process also takes memory before it runs a model, which is not counted"}
}

// forSegments rejects outputs about addresses, which LiteRT chooses itself.
func forSegments(c *cli.Context, specs []output.Spec) error {
	if c.String("segments") == "" {
		return usagef("--segments: name a folder")
	}
	for _, s := range specs {
		if s.Format == flexnnFormat || s.Format == "c" {
			return usagef("-o %s: with --segments, LiteRT decides what lies where, and no plan is written: leave one of them out", s.Format)
		}
	}
	return nil
}
