package app

import (
	"context"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/results"
)

// StreamLadder plans one network in several ascending budgets, so that a program can change the plan between runs and keep its
// weights or files (Li et al. 2024, section 5.6). Own plans for the budget of its options alone; the other options are those of o.
// The plan of the smallest budget determines slices and tiles. Segments are cut to minimise the largest loss of a budget
// against segments of its own. A plan is never worse than that of a smaller budget.
//
// StreamLadder returns a plan for each budget, or one element without a plan if a budget has none.
func StreamLadder(ctx context.Context, budgets []int64, o StreamOptions, own func(context.Context, StreamOptions) (*Streamed, error)) ([]*Streamed, error) {
	list := make([]*Streamed, len(budgets))
	for i, budget := range budgets {
		o.Budget = budget
		part, cancel := deadline.Share(ctx, 2*len(budgets)-1-i)
		r, err := own(part, o)
		if cancel(); err != nil {
			return nil, err
		}
		if r.Plan == nil {
			return []*Streamed{r}, nil
		}
		list[i] = r
	}
	if len(list) == 1 {
		return list, nil
	}
	return list[0].ladder(ctx, list, budgets, o.Options)
}

// ladder plans the network of s, which has the plan of the smallest budget, in all budgets. Own has the plan of each budget
// alone.
func (s *Streamed) ladder(ctx context.Context, own []*Streamed, budgets []int64, o stream.Options) (list []*Streamed, err error) {
	net, files := s.Network, s.Files
	if files != nil {
		if files, err = litert.CutSegments(ctx, files.Model, files.Rates, budgets, files.Delegate, o); err != nil {
			return nil, err
		}
		net = files.Network
	}
	var plan *stream.Plan
	var plans []*stream.Plan
	for i, budget := range budgets {
		smaller := plan
		if plan = own[i].Plan; !reflect.DeepEqual(own[i].Network, net) {
			part, cancel := deadline.Share(ctx, len(budgets)-i)
			plan, err = stream.Solve(part, net, budget, o)
			cancel()
		}
		if err != nil && !noStreamPlan(err) {
			return nil, err
		}
		if err != nil {
			none := s.rung(net, files, budget, nil)
			none.None = err
			return []*Streamed{none}, nil
		}
		plan = plan.OrSmaller(smaller)
		plans = append(plans, plan)
	}
	if files == nil { // LiteRT chooses the addresses of segments
		if plans, err = stream.Settle(net, plans); err != nil {
			return nil, err
		}
	}
	for i, plan := range plans {
		list = append(list, s.rung(net, files, budgets[i], plan))
		list[i].ComparedWith(own[i].Plan.Latency)
	}
	return list, nil
}

// rung returns a plan of a network, or of files, as a result like s. The plan may be nil.
func (s *Streamed) rung(net *network.Network, files *litert.SegmentPlan, budget int64, plan *stream.Plan) (r *Streamed) {
	if files == nil {
		least := &stream.LeastBudget{Bytes: s.LeastBudgetBytes, Optimal: s.LeastBudgetProven}
		r = streamed(s.Input, s.Times, net, budget, least, plan)
		r.Model = s.Model
	} else {
		planned := *files
		planned.Stream = plan
		r = segmented(s.Times, budget, &planned)
	}
	for _, note := range s.Notes {
		if note.Kind != results.NoteMended && !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
	}
	return r
}
