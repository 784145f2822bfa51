package stream

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
)

// place finds offsets below the budget for resident layers and the first steps of streamed layers,
// both indexed by layer. Resident weights go to the top, and all other tensors below them. It
// returns nil if it finds no offsets. nodes limits the search for offsets; with zero, place tries
// only quick strategies.
func (t *task) place(ctx context.Context, resident []bool, first []int, nodes int64) (*network.Placement, error) {
	p := network.NewPlacement(t.net)
	top := t.budget
	var records []lifetime.Record
	var index []int
	for i, x := range t.net.Tensors {
		if x.Kind == network.Weight && resident[x.First] {
			top = (top - x.Size) &^ (network.Alignment - 1)
			p.Resident[i], p.Start[i], p.Offsets[i] = true, 0, top
			continue
		}
		if x.Kind == network.Weight {
			p.Start[i] = first[x.First]
		}
		records = append(records, lifetime.Record{First: p.Start[i], Last: x.Last, Size: x.Size, Align: network.Alignment})
		index = append(index, i)
	}
	if top < 0 || lifetime.MaxBreadth(records) > top {
		return nil, nil
	}
	offsets, err := fit(ctx, records, top, nodes)
	if err != nil || offsets == nil {
		return nil, err
	}
	for k, i := range index {
		p.Offsets[i] = offsets[k]
	}
	return p, nil
}

// quick are fast strategies that are often good if most records are short.
var quick = []string{alloc.TFLMGreedy, "strip-packing"}

// fit returns offsets below top, or nil if it finds none.
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
