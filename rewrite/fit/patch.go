package fit

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// finest is how many paths, those of the least peaks, have their stages tried as finely as
// there are any where the least head is looked for.
const finest = 3

// patch cuts runs of operators into pieces.
func (f *fitter) patch(ctx context.Context) error {
	v, err := micro(f.model)
	if err != nil {
		return err
	}
	if !straight(v) {
		f.report.Left = "its operators call other subgraphs"
		return nil
	}
	row := newRow(v, f.goal.Alias, f.goal.Scratch(f.model))
	row.target = f.goal.Target
	if err := f.standing(ctx); err != nil {
		return err
	}
	row.fine = f.fine()
	edges, points := f.parts(ctx, row)
	for _, p := range points {
		f.report.Frontier = append(f.report.Frontier, Estimate{p.peak, p.tail, p.macs, p.stages()})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c := &choice{fitter: f, ctx: ctx, row: row, known: newProspects(edges), points: points, list: f.promising(points)}
	chosen, err := c.choose()
	if err == nil && f.goal.Arena == 0 && f.goal.Head > 0 && (chosen == nil || !f.goal.met(chosen.rung)) {
		c.hint()
	}
	if err != nil || chosen == nil {
		return err
	}
	chosen.rung.ExtraMACs, chosen.rung.Stages = chosen.macs, chosen.stages()
	if !f.aliases() {
		f.keep(chosen.rung, chosen.model)
		return nil
	}
	return f.patchAliased(ctx, chosen)
}

// parts returns what paths are made of, and the paths that no other beats. When ctx ends it
// returns those that it has.
func (f *fitter) parts(ctx context.Context, row *row) ([]edge, []point) {
	most := mostWork
	if row.fine == 0 {
		most = leastWork
	}
	edges, bounded := row.edges(ctx, f.goal.Head, f.work(most), f.goal.Progress)
	f.bounded = f.bounded || bounded
	points := frontier(ctx, edges, len(row.breadth))
	if f.least() && f.scale >= 1 {
		edges = append(edges, row.refined(ctx, points[max(len(points)-f.work(finest), 0):])...)
		points = frontier(ctx, edges, len(row.breadth))
	}
	return edges, points
}

// standing notes what the model that is to be cut takes whatever its head is.
func (f *fitter) standing(ctx context.Context) error {
	r, err := f.rung(ctx, "", f.model, nil, nil, 0)
	if err == nil {
		f.tail, f.setup = r.Tail, r.setup
	}
	return err
}

// fine returns a peak in bytes at which no finer stage is worth a try: below the budget, as
// plans in which tensors share memory do not always come down to the peak, and as what a
// stage keeps in memory is not known before.
func (f *fitter) fine() int64 {
	head, parts := f.goal.Head, int64(15)
	if rest := f.goal.Arena - f.tail; f.goal.Arena > 0 && (head == 0 || rest < head) {
		head, parts = rest, 8
	} else if f.aliases() {
		parts = 12
	}
	return max(head, 0) / 16 * parts
}

// patchAliased shows on the ladder what the pieces do by themselves; outputs that take over
// inputs are the next step. Where ctx ends in between, only that step is shown.
func (f *fitter) patchAliased(ctx context.Context, chosen *built) error {
	chosen.rung.Name = "aliases"
	o := pin.Options{Alias: rules.NoAlias, Limit: f.goal.Head}
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
