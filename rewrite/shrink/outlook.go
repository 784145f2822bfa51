package shrink

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/internal/parts"
	"github.com/tflarena/tflarena/tflite/op"
)

// outlookWork is the maximum number of operators in the fragments examined by [Outlook]: a
// tenth of a second.
const outlookWork = 100_000

// Outlook estimates, in a small search and without building anything, what tiling a model may
// reach for at most 5 % more multiply-accumulates, with the lowest sum of head and extra tail.
// ok is false if a small search is not enough, if the model cannot be tiled, and if nothing is
// gained.
func Outlook(ctx context.Context, v *rules.View, device rules.Device) (best Estimate, ok bool) {
	if len(v.Model.Subgraphs) == 0 || !parts.Straight(v) {
		return Estimate{}, false
	}
	row := parts.New(v, parts.Options{Alias: rules.NoAlias, Device: device})
	list, ok := row.ListWithin(ctx, outlookWork)
	if !ok {
		return Estimate{}, false
	}
	if ctx.Err() != nil {
		return Estimate{}, false // a partial search is not deterministic
	}
	least, most := row.AsIs(0, row.Len()).Cost.Peak, LittleWork*float64(OwnMACs(v))
	ok = false
	for _, p := range parts.Frontier(ctx, list, row.Len()) {
		if sum := p.Cost.Peak + p.Cost.Tail; float64(p.Cost.MACs) <= most && sum < least {
			best, least, ok = Estimate{Head: p.Cost.Peak, Tail: p.Cost.Tail, ExtraMACs: p.Cost.MACs, Stages: p.Stages()}, sum, true
		}
	}
	return best, ok
}

// OwnMACs returns the multiply-accumulates of one run of a view's model, as package op counts
// them.
func OwnMACs(v *rules.View) int64 { return op.RunMACs(v.Model, 0) }
