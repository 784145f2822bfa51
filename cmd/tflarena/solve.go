package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/progress"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// searchNodes limits each exact search by nodes. Zero, which only tests change, means that only time
// limits it.
var searchNodes int64

// solver runs strategies on records of an input, and shows progress.
func (p *program) solver(title string) app.Solver {
	return func(ctx context.Context, records []lifetime.Record, o alloc.Options) (*alloc.Plan, error) {
		defer p.showProgress(&o)()
		if searchNodes > 0 {
			o.SearchNodes, o.SearchTime = searchNodes, 10*time.Second
		}
		plan, err := alloc.Solve(ctx, records, o)
		if err != nil {
			return nil, named(title, p.solveError(records, err))
		}
		return plan, nil
	}
}

// capacityTime is the default time limit of the search for a capacity.
const capacityTime = 10 * time.Second

// decider decides whether records of an input fit into a capacity in bytes, and shows progress.
func (p *program) decider(title string) app.Decider {
	return func(ctx context.Context, records []lifetime.Record, capacity int64, o alloc.Options) (*alloc.Verdict, error) {
		ctx, cancel := p.limit.within(ctx, capacityTime)
		defer cancel()
		defer p.showProgress(&o)()
		verdict, err := alloc.Fit(ctx, records, capacity, o)
		if err != nil {
			return nil, named(title, p.solveError(records, err))
		}
		switch {
		case verdict.Answer != alloc.Unknown:
		case p.ctx.Err() != nil:
			verdict.Plan.Interrupted = true
		case !p.quiet:
			p.tell(title + ": the search ended before it had an answer; give it more time with --time-limit")
		}
		return verdict, nil
	}
}

// showProgress shows progress on a terminal until the returned function is called.
func (p *program) showProgress(o *alloc.Options) (stop func()) {
	var line *progress.Line
	if p.env.IsTerminal(p.stderr) && !p.quiet {
		line = progress.Start(p.stderr, "planning")
		o.Progress = func(now alloc.Progress) {
			scale := units.CommonScale(now.Total)
			text := fmt.Sprintf("best %s %s by %s, %s above the bound", scale.Format(now.Total, 2), scale.Unit, now.Strategy, units.Percent(now.Total-now.Bound, now.Bound))
			if now.Nodes > 0 {
				text += fmt.Sprintf(", %s nodes", units.Number(now.Nodes))
			}
			const clock = 10 // the time that follows; a wrapped line cannot be erased
			line.Set(tables.Elide(text, p.env.Width(p.stderr)-clock))
		}
	}
	return line.Stop
}

// solveError returns the reason for a missing plan.
func (p *program) solveError(records []lifetime.Record, err error) error {
	var tooMany *alloc.TooManyRecordsError
	switch {
	case errors.As(err, &tooMany):
		return fmt.Errorf("%w: choose another strategy, or %s for the best of those that take so many", err, alloc.Auto)
	case errors.Is(err, context.DeadlineExceeded):
		return &limitError{p.limit.ending()}
	case errors.Is(err, context.Canceled):
		return interruptedError{}
	}
	return planError(records, err)
}
