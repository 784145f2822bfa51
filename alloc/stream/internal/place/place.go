package place

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/internal/model"
	"github.com/tflarena/tflarena/lifetime"
)

// Place finds offsets below budget for a network: the weights of resident layers at the top, and
// all other tensors below them, those of a streamed layer from its first step on. Both slices
// are indexed by layer. It reports whether it found any, and returns the placement then.
// Nodes limits the search for addresses.
func Place(ctx context.Context, net *model.Network, resident []bool, first []int, budget, nodes int64) (*model.Placement, bool, error) {
	p := model.OnDemand(net)
	top := budget
	var records []lifetime.Record
	var index []int
	for i, t := range net.Tensors {
		if t.Kind == model.Weight && resident[t.First] {
			top = (top - t.Size) &^ (model.Alignment - 1)
			p.Resident[i], p.Start[i], p.Offsets[i] = true, 0, top
			continue
		}
		if t.Kind == model.Weight {
			p.Start[i] = first[t.First]
		}
		records = append(records, lifetime.Record{First: p.Start[i], Last: t.Last, Size: t.Size, Align: model.Alignment})
		index = append(index, i)
	}
	if top < 0 || alloc.LowerBound(alloc.Offsets, records) > top {
		return nil, false, nil
	}
	verdict, err := alloc.Fit(ctx, records, top, alloc.Options{SearchNodes: nodes, Workers: 1})
	if err != nil || verdict.Answer != alloc.Fits {
		return nil, false, err
	}
	for k, i := range index {
		p.Offsets[i] = verdict.Plan.Offsets[k]
	}
	return p, true, nil
}
