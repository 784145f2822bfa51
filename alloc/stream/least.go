package stream

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream/internal/model"
	"github.com/tflarena/tflarena/lifetime"
)

// A LeastBudget is the smallest budget in which there is a plan.
type LeastBudget struct {
	// Bytes is the budget, LowerBound a number of bytes that no budget with a plan goes below.
	Bytes, LowerBound int64
	// Optimal says that the two are the same; Proof says why.
	Optimal bool
	Proof   string
	// Placement is a plan of this budget, in which nothing is resident or loaded ahead.
	Placement *Placement
}

// LeastOptions limits the search for the smallest budget.
type LeastOptions struct {
	// SearchTime is how long the exact planner works when the quick ones have no proof; zero means
	// [alloc.DefaultSearchTime].
	SearchTime time.Duration
}

// Least finds the smallest budget in which a network has a plan. It is the size of the
// smallest arena for all tensors when nothing is resident and each weight holds memory in the step of
// its layer alone, since every other plan holds more. Its errors are those of [Network.Check]
// and of [alloc.Solve].
func Least(ctx context.Context, net *Network, opt LeastOptions) (*LeastBudget, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	records := make([]lifetime.Record, len(net.Tensors))
	for i, t := range net.Tensors {
		records[i] = lifetime.Record{First: t.First, Last: t.Last, Size: t.Size, Align: Alignment}
	}
	plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets, SearchTime: opt.SearchTime})
	if err != nil {
		return nil, err
	}
	place := model.OnDemand(net)
	copy(place.Offsets, plan.Offsets)
	return &LeastBudget{Bytes: plan.Total, LowerBound: plan.LowerBound, Optimal: plan.Optimal, Proof: plan.Proof, Placement: place}, nil
}
