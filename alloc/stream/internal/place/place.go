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
// Nodes limits the search for addresses; with none only quick strategies are tried.
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
	if top < 0 || lifetime.MaxBreadth(records) > top {
		return nil, false, nil
	}
	offsets, err := fit(ctx, records, top, nodes)
	if err != nil || offsets == nil {
		return nil, false, err
	}
	for k, i := range index {
		p.Offsets[i] = offsets[k]
	}
	return p, true, nil
}

// quick are strategies that take little time and are often good where most records are short.
var quick = []string{alloc.TFLMGreedy, "strip-packing"}

// fit returns offsets below top, or nil where it finds none.
func fit(ctx context.Context, records []lifetime.Record, top, nodes int64) ([]int64, error) {
	if nodes == 0 {
		for _, name := range quick {
			plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets, Strategy: name})
			if err != nil {
				return nil, err
			}
			if plan.Total <= top {
				return plan.Offsets, nil
			}
		}
		return nil, nil
	}
	verdict, err := alloc.Fit(ctx, records, top, alloc.Options{SearchNodes: nodes, Workers: 1})
	if err != nil || verdict.Answer != alloc.Fits {
		return nil, err
	}
	return verdict.Plan.Offsets, nil
}
