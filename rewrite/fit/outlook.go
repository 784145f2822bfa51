package fit

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/tflite/op"
)

// outlookWork is how many operators the fragments come to that [Outlook] looks at: a tenth of a
// second.
const outlookWork = 100_000

// Outlook returns what cutting a model into pieces may reach for at most 5 % more
// multiply-accumulates, with the least sum of head and extra tail, as a small search tells
// without building anything. ok is false where no small search tells, where the model
// cannot be cut, and where nothing is gained.
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
		return Estimate{}, false // half of the search tells something else each time
	}
	least, most := row.AsIs(0, row.Len()).Cost.Peak, LittleWork*float64(OwnMACs(v))
	ok = false
	for _, p := range parts.Frontier(ctx, list, row.Len()) {
		if sum := p.Cost.Peak + p.Cost.Tail; float64(p.Cost.MACs) <= most && sum < least {
			best, least, ok = estimate(&p), sum, true
		}
	}
	return best, ok
}

// OwnMACs returns the multiply-accumulates of one run of a view's model, as package op
// counts them.
func OwnMACs(v *rules.View) int64 { return op.RunMACs(v.Model, 0) }
