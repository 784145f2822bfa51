package stream

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
)

// A LeastBudget is the smallest budget that has a plan.
type LeastBudget struct {
	// Bytes is the budget, and LowerBound a lower bound of it.
	Bytes, LowerBound int64
	// Optimal is set if the two are equal.
	Optimal bool
	// Placement is a plan of this budget. Nothing in it is resident or prefetched.
	Placement *network.Placement
}

// Least finds the smallest budget that permits a plan. It is the smallest arena if nothing is resident
// and each weight holds memory only in the step of its layer, as every other plan holds more. It
// returns errors of [network.Network.Check] and [alloc.Solve].
func Least(ctx context.Context, net *network.Network) (*LeastBudget, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	records := make([]lifetime.Record, len(net.Tensors))
	for i, t := range net.Tensors {
		records[i] = lifetime.Record{First: t.First, Last: t.Last, Size: t.Size, Align: network.Alignment}
	}
	plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		return nil, err
	}
	place := network.NewPlacement(net)
	copy(place.Offsets, plan.Offsets)
	return &LeastBudget{Bytes: plan.Total, LowerBound: plan.LowerBound, Optimal: plan.Optimal, Placement: place}, nil
}
