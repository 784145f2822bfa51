package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
)

func (p *program) stream(c *cli.Context) error {
	q, err := askedStream(c)
	if err != nil {
		return err
	}
	formats := streamFormats
	if q.sweep {
		formats = sweepFormats
	}
	in, err := p.invocation(c, p.outputs(formats, inputs(c)))
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	if c.IsSet("segments") {
		if err := p.streamSegments(ctx, c, q, in.specs, in.style); err != nil {
			return in.failed(err)
		}
		return nil
	}
	net, input, err := p.readNetwork(ctx, c, &q)
	if err == nil && q.sweep {
		err = p.streamSweep(ctx, c, input, net, q, in.specs, in.style)
	} else if err == nil {
		err = p.streamPlan(ctx, c, input, net, q, in.specs, in.style)
	}
	if err != nil {
		return in.failed(err)
	}
	return nil
}

// streamPlan prints the plan of one budget, or the one with the least memory for a latency.
func (p *program) streamPlan(ctx context.Context, c *cli.Context, input string, net *network.Network, q streamQuestion, specs []output.Spec, style results.Style) error {
	part, cancel := deadline.Share(ctx, 4)
	least, err := stream.Least(part, net)
	if cancel(); err != nil {
		return named(input, p.streamError(ctx, c, err))
	}
	stop := p.streamProgress(&q.options)
	var plan *stream.Plan
	var bytes int64
	if c.IsSet("latency") {
		plan, bytes, err = stream.WithinLatency(ctx, net, c.Duration("latency"), q.options)
		if plan != nil {
			q.budget = plan.Budget
		}
	} else {
		plan, err = stream.Solve(ctx, net, q.budget, q.options)
	}
	stop()
	if err != nil && !noStreamPlan(err) {
		return named(input, p.streamError(ctx, c, err))
	}
	r := results.NewStream(input, c.String("times"), net, q.budget, least, plan)
	if c.IsSet("latency") {
		r.AskedFor(c.Duration("latency"), bytes)
	}
	if !asksProfiles(c) {
		r.Notes = append(r.Notes, q.notes()...)
	}
	if plan == nil {
		p.code = exitCheck
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteNoPlan, Text: err.Error()})
		specs = jsonOutputs(specs)
		p.say(input, "no plan", err.Error())
	}
	p.noteStream(ctx, input, r.Interrupted)
	return p.emitStream(c, specs, net, plan, r, style)
}

// noStreamPlan reports whether an error states that no plan exists.
func noStreamPlan(err error) bool {
	infeasible, none, unreachable := (*stream.InfeasibleError)(nil), (*stream.NoPlanError)(nil), (*stream.UnreachableError)(nil)
	return errors.As(err, &infeasible) || errors.As(err, &none) || errors.As(err, &unreachable)
}

// streamError reports which limit ended a search without a result.
func (p *program) streamError(ctx context.Context, c *cli.Context, err error) error {
	switch {
	case p.ctx.Err() != nil:
		return interruptedError{}
	case ctx.Err() != nil:
		return &limitError{p.limit.ending()}
	}
	return err
}
