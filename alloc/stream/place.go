package stream

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// place finds offsets below the budget for resident layers and the first steps of streamed layers,
// both indexed by layer. Resident weights lie above all other tensors. It
// returns nil if it finds no offsets. nodes limits the search for offsets; with zero, place tries
// only quick strategies.
func (t *task) place(ctx context.Context, resident []bool, first []int, nodes int64) (*network.Placement, error) {
	p, records, index, top := t.split(resident, first)
	if top < 0 || lifetime.MaxBreadth(records) > top {
		return nil, nil
	}
	offsets, err := fit(ctx, records, top, nodes)
	if err != nil || offsets == nil {
		return nil, err
	}
	t.put(p, index, offsets)
	return p, nil
}

// split returns a placement with the resident weights marked, the records of the other tensors with their indexes, and
// the bytes that the resident weights leave for them, negative if there are none.
func (t *task) split(resident []bool, first []int) (p *network.Placement, records []lifetime.Record, index []int, top int64) {
	p, top = network.NewPlacement(t.net), t.budget
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
	return p, records, index, top
}

// put sets the offsets of the tensors of some indexes, and places the resident weights above them.
func (t *task) put(p *network.Placement, index []int, offsets []int64) {
	end := int64(0)
	for k, i := range index {
		p.Offsets[i] = offsets[k]
		end = max(end, integer.RoundUp(offsets[k]+t.net.Tensors[i].Size, network.Alignment))
	}
	for i := len(t.net.Tensors) - 1; i >= 0; i-- { // the first one is the highest, as in split
		if p.Resident[i] {
			p.Offsets[i] = end
			end += integer.RoundUp(t.net.Tensors[i].Size, network.Alignment)
		}
	}
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
