package main

import (
	"context"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
)

// streamSweep prints the latency of a run by memory.
func (p *program) streamSweep(ctx context.Context, c *cli.Context, input string, net *network.Network, q streamQuestion, specs []output.Spec, style results.Style) error {
	stop := p.streamProgress(&q.options)
	curve, err := stream.Sweep(ctx, net, c.Int("points"), q.options)
	stop()
	if err != nil {
		return named(input, p.streamError(ctx, c, err))
	}
	r := results.NewStreamSweep(input, c.String("times"), curve)
	if !asksProfiles(c) {
		r.Notes = append(r.Notes, q.notes()...)
	}
	p.noteStream(ctx, input, r.Interrupted)
	return p.emit(specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		return p.document("stream sweep", []any{r})
	}, func() string { return r.Text(style) })
}

// noteStream reports that the result is only the best so far, and why.
func (p *program) noteStream(ctx context.Context, input string, interrupted bool) {
	switch {
	case !interrupted:
	case p.ctx.Err() != nil:
		p.code = exitInterrupted
		p.tell(input + ": interrupted; this is the best so far")
	case ctx.Err() != nil && !p.quiet:
		p.tell(fmt.Sprintf("%s: --time-limit %s was reached; this is the best so far", input, p.limit.ending()))
	}
}

// streamProgress shows progress until the returned function is called.
func (p *program) streamProgress(o *stream.Options) (stop func()) {
	if !p.env.IsTerminal(p.stderr) || p.quiet {
		return func() {}
	}
	line := progress.Start(p.stderr, "planning")
	o.Progress = func(now stream.Progress) {
		line.Set(fmt.Sprintf("best %v, bound %v", now.Latency.Round(time.Microsecond), now.LowerBound.Round(time.Microsecond)))
	}
	return line.Stop
}
