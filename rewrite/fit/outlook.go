package fit

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite/op"
)

const (
	// outlookWork is how many operators the fragments come to that [Outlook] looks at: a
	// tenth of a second.
	outlookWork = 100_000
	// outlookOverhead is the most extra work that it takes for little, as a part of the
	// model's own.
	outlookOverhead = 0.05
)

// Outlook returns what cutting a model into pieces may reach for at most 5 % more
// multiply-accumulates, with the least sum of head and extra tail, as a small search tells
// without building anything. ok is false where no small search tells, where the model
// cannot be cut, and where nothing is gained.
func Outlook(ctx context.Context, v *rules.View) (best Estimate, ok bool) {
	if len(v.Model.Subgraphs) == 0 || !straight(v) {
		return Estimate{}, false
	}
	row := newRow(v, rules.NoAlias, nil)
	row.target = rules.DefaultTarget()
	spans, effort, within := row.spans(row.floor(), outlookWork)
	if !within || len(spans) == 0 {
		return Estimate{}, false
	}
	edges := append(row.parts(spans), row.stagesOf(ctx, spans, effort, nil)...)
	if ctx.Err() != nil {
		return Estimate{}, false // half of the search tells something else each time
	}
	own, most := row.plain(0, len(row.breadth)).peak, outlookOverhead*float64(OwnMACs(v))
	for _, p := range frontier(ctx, edges, len(row.breadth)) {
		if float64(p.macs) <= most && p.peak+p.tail < own && (!ok || p.peak+p.tail < best.Head+best.Tail) {
			best, ok = Estimate{p.peak, p.tail, p.macs, p.stages()}, true
		}
	}
	return best, ok
}

// OwnMACs returns the multiply-accumulates of one run of a view's model, as package op
// counts them.
func OwnMACs(v *rules.View) int64 { return op.RunMACs(v.Model, 0) }
