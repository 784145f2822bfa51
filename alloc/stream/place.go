package stream

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// An offsetter returns offsets of records below top, or nil if it finds none. It visits about nodes nodes; with zero,
// it tries only quick strategies.
type offsetter func(ctx context.Context, records []lifetime.Record, top, nodes int64) ([]int64, error)

// place finds offsets below the budget for resident layers and the first steps of streamed layers,
// both indexed by layer. Resident weights lie above all other tensors. It
// returns nil if it finds no offsets. After ctx has ended, it tries only quick strategies.
func (t *task) place(ctx context.Context, resident []bool, first []int, find offsetter, nodes int64) (*network.Placement, error) {
	p, top := network.NewPlacement(t.net), t.budget
	var records []lifetime.Record
	var index []int
	for i, x := range t.net.Tensors {
		if x.Kind == network.Weight && resident[x.First] {
			top = (top - x.Size) &^ (network.Alignment - 1)
			p.Resident[i], p.Start[i] = true, 0
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
	offsets, err := find(ctx, records, top, nodes)
	if offsets == nil && ctx.Err() != nil {
		offsets, err = find(context.WithoutCancel(ctx), records, top, 0)
	}
	if err != nil || offsets == nil {
		return nil, err
	}
	end := int64(0)
	for k, i := range index {
		p.Offsets[i] = offsets[k]
		end = max(end, integer.RoundUp(offsets[k]+t.net.Tensors[i].Size, network.Alignment))
	}
	for i := len(p.Resident) - 1; i >= 0; i-- { // the first one is the highest, as for top
		if p.Resident[i] {
			p.Offsets[i] = end
			end += integer.RoundUp(t.net.Tensors[i].Size, network.Alignment)
		}
	}
	return p, nil
}

// fit is an [offsetter] that takes the first offsets that it finds.
func fit(ctx context.Context, records []lifetime.Record, top, nodes int64) ([]int64, error) {
	if nodes == 0 {
		return leastOffsets(ctx, records, top, 0)
	}
	verdict, err := alloc.Fit(ctx, records, top, alloc.Options{SearchNodes: nodes, Workers: 1})
	if err != nil || verdict.Answer != alloc.Fits {
		return nil, err
	}
	return verdict.Plan.Offsets, nil
}

// quick are fast strategies that are often good if most records are short.
var quick = []string{alloc.TFLMGreedy, "strip-packing"}

// leastOffsets is an [offsetter] for the lowest end of the highest record.
func leastOffsets(ctx context.Context, records []lifetime.Record, top, nodes int64) (offsets []int64, err error) {
	names := []string{alloc.Exact}
	if nodes == 0 {
		names = quick
	}
	for _, name := range names {
		plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets, Strategy: name, SearchNodes: nodes, Workers: 1})
		if err != nil {
			return nil, err
		}
		if plan.Total <= top {
			offsets, top = plan.Offsets, plan.Total-1
		}
	}
	return offsets, nil
}
