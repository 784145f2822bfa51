package fit

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// mostWork and leastWork are the approximate maximum numbers of operators in the fragments of
// all stages: mostWork with a budget, when unnecessarily fine stages are skipped, leastWork for
// the smallest head. Either takes some seconds.
const (
	mostWork  = 6_000_000
	leastWork = 2_000_000
)

// refined is the number of paths, those with the lowest peaks, whose stages are tried at the
// finest granularity in a search for the smallest head.
const refined = 3

// cut is the step that tiles runs of operators.
func (f *fitter) cut(ctx context.Context) error {
	v, err := f.micro(f.model)
	if err != nil {
		return err
	}
	if !parts.Straight(v) {
		f.report.NotCut = "its operators call other subgraphs"
		return nil
	}
	if err := f.standing(ctx); err != nil {
		return err
	}
	row := f.row(v, f.fine())
	list, paths := f.candidates(ctx, row)
	if !f.finest {
		for i := range paths {
			f.report.Frontier = append(f.report.Frontier, estimate(&paths[i]))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &choice{fit: f, ctx: ctx, row: row, links: route.New(row, list), paths: paths, promising: f.promising(paths)}
	chosen, err := c.choose()
	if err == nil && f.goal.Budget == 0 && f.goal.HeadBudget > 0 && (chosen == nil || !f.goal.met(chosen.rung)) {
		c.hint()
	}
	if err != nil || chosen == nil {
		return err
	}
	chosen.rung.ExtraMACs, chosen.rung.Stages = chosen.path.Cost.MACs, chosen.path.Stages()
	if !f.aliases() {
		f.keep(chosen.rung, chosen.model)
		return nil
	}
	return f.keepBoth(ctx, chosen)
}

// standing records the untiled model's memory that does not depend on the head.
func (f *fitter) standing(ctx context.Context) error {
	r, err := f.rung(ctx, "", f.model, nil, nil, 0)
	if err == nil {
		f.tail, f.setup = r.Tail, r.setup
	}
	return err
}

// row returns the model's row. Stages with a peak of at most fine bytes are not refined.
func (f *fitter) row(v *rules.View, fine int64) *parts.Row {
	return parts.New(v, parts.Options{Alias: f.goal.Alias, Device: f.goal.Device, Fine: fine, Memo: f.costs.of(v.Model)})
}

// fine returns the peak, in bytes, below which finer stages are not tried. It is below the
// budget, because plans with shared memory do not always reach the peak, and because a stage's
// persistent memory is not known in advance. 0 means that all are tried.
func (f *fitter) fine() int64 {
	if f.finest {
		return 0
	}
	head, sixteenths := f.goal.HeadBudget, int64(15)
	if rest := f.goal.Budget - f.tail; f.goal.Budget > 0 && (head == 0 || rest < head) {
		head, sixteenths = rest, 8
	} else if f.aliases() {
		sixteenths = 12
	}
	return max(head, 0) / 16 * sixteenths
}

// candidates returns the parts, and the paths not beaten by others. When ctx ends it returns
// those found so far.
func (f *fitter) candidates(ctx context.Context, row *parts.Row) ([]parts.Part, []parts.Path) {
	most, enough := mostWork, f.goal.HeadBudget
	if row.Fine() == 0 {
		most, enough = leastWork, 0
	}
	list, bounded := row.List(ctx, enough, f.work(most), f.goal.Progress)
	f.bounded = f.bounded || bounded
	paths := parts.Frontier(ctx, list, row.Len())
	if row.Fine() == 0 && f.scale >= 1 {
		list = append(list, row.Refined(ctx, paths[max(len(paths)-f.work(refined), 0):], f.uneven)...)
		paths = parts.Frontier(ctx, list, row.Len())
	}
	return list, paths
}

// keepBoth adds the effect of tiling alone to the ladder, followed by a step for in-place
// outputs. If ctx ends in between, only the latter is added.
func (f *fitter) keepBoth(ctx context.Context, chosen *attempt) error {
	chosen.rung.Name = "aliases"
	o := pin.Options{Alias: rules.NoAlias, Limit: f.goal.HeadBudget}
	if chosen.rung.Operators > large {
		o.Strategy = alloc.GreedyBySize // the final file needs no more than the chosen one, whatever this finds
	}
	r, err := f.measure(ctx, "patches", chosen.model, o)
	if err != nil {
		if ctx.Err() != nil {
			f.keep(chosen.rung, chosen.model)
		}
		return err
	}
	r.ExtraMACs, r.Stages = chosen.rung.ExtraMACs, chosen.rung.Stages
	f.keep(r, chosen.model)
	f.aliased, f.model = chosen.rung, chosen.model
	return nil
}
