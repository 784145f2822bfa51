package fit

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// mostWork is how many operators the fragments of all stages may come to, about, below a
// budget, where those that are finer than they need to be are left out, and leastWork where
// the least head is looked for: some seconds.
const (
	mostWork  = 6_000_000
	leastWork = 2_000_000
)

// refined is how many paths, those of the least peaks, have their stages tried as finely as
// there are any where the least head is looked for.
const refined = 3

// cut is the step that cuts runs of operators into pieces.
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

// standing notes what the model that is to be cut takes whatever its head is.
func (f *fitter) standing(ctx context.Context) error {
	r, err := f.rung(ctx, "", f.model, nil, nil, 0)
	if err == nil {
		f.tail, f.setup = r.Tail, r.setup
	}
	return err
}

// row returns the model as a path goes through it. Stages need not have a peak below fine, in
// bytes.
func (f *fitter) row(v *rules.View, fine int64) *parts.Row {
	return parts.New(v, parts.Options{Alias: f.goal.Alias, Device: f.goal.Device, Fine: fine, Memo: f.costs.of(v.Model)})
}

// fine returns a peak in bytes at which no finer stage is worth a try: below the budget, as
// plans in which tensors share memory do not always come down to the peak, and as what a
// stage keeps in memory is not known before. It is 0 where all are.
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

// candidates returns what paths are made of, and the paths that no other beats. When ctx ends
// it returns those that it has.
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

// keepBoth shows on the ladder what the pieces do by themselves; outputs that take over
// inputs are the next step. Where ctx ends in between, only that step is shown.
func (f *fitter) keepBoth(ctx context.Context, chosen *attempt) error {
	chosen.rung.Name = "aliases"
	o := pin.Options{Alias: rules.NoAlias, Limit: f.goal.HeadBudget}
	if chosen.rung.Operators > large {
		o.Strategy = alloc.GreedyBySize // what is written needs no more than what was chosen, whatever this does
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
