package alloc

import (
	"context"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/internal/distances"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
)

// A task is the input of a solver.
type task struct {
	records Records // none of size zero
	bound   problem.Bound
	opt     Options
	// distances is the problem for strategies that support distances.
	distances *distances.Problem
}

func newTask(records Records, opt Options) *task {
	p := &task{records: problem.NonEmpty(records), opt: opt}
	p.distances = distances.New(p.records, forbidLive(records, opt.Forbidden))
	switch {
	case opt.Forbidden == nil:
		p.bound = lowerBound(opt.Approach, p.records)
	case opt.Bound.Bytes == 0:
		p.bound = p.distances.Bound()
	}
	if opt.Bound.Bytes > p.bound.Bytes {
		p.bound = opt.Bound
	}
	return p
}

// forbidLive maps a function of all records to one of the non-empty records.
func forbidLive(records Records, forbid distances.Forbid) distances.Forbid {
	var live []int
	for i, r := range records {
		if r.Size > 0 {
			live = append(live, i)
		}
	}
	if forbid == nil || len(live) == len(records) {
		return forbid
	}
	return func(a, b int) []lifetime.Range { return forbid(live[a], live[b]) }
}

// run runs one strategy and derives the total, bound and proof from the placements.
func (p *task) run(ctx context.Context, s Strategy) (*Plan, error) {
	if n := len(p.records); s.MaxRecords > 0 && n > s.MaxRecords {
		return nil, &TooManyRecordsError{s.Name, n, s.MaxRecords}
	}
	if err := deadline.Err(ctx); err != nil {
		return nil, err
	}
	plan, err := s.solve(ctx, p)
	if err != nil {
		return nil, err
	}
	plan.Approach, plan.Strategy = s.Approach, s.Name
	if plan.Winner == "" {
		plan.Winner, plan.Tried = s.Name, 1
		plan.Total = plan.placedTotal(p.records)
		plan.applyBound(p.bound)
		p.report(plan)
	}
	return plan, nil
}

// applyBound fills in the lower bound unless the strategy has a stronger one, and a proof
// when the total equals the bound.
func (plan *Plan) applyBound(b problem.Bound) {
	plan.LowerBound = max(plan.LowerBound, b.Bytes)
	if plan.Total == b.Bytes && !plan.Optimal {
		plan.Optimal = true
		plan.Proof = Proof{Kind: ByBound, Bound: b}
	}
}

func (p *task) report(plan *Plan) {
	p.progress(Progress{Strategy: plan.Winner, Total: plan.Total, Bound: plan.LowerBound, Nodes: plan.Nodes})
}

func (p *task) progress(now Progress) {
	if p.opt.Progress != nil {
		p.opt.Progress(now)
	}
}

// placedTotal returns the total of the placements in bytes.
func (plan *Plan) placedTotal(records Records) int64 {
	var total int64
	if plan.Approach == Shared {
		for _, size := range plan.ObjectSizes {
			total += size
		}
		return total
	}
	for i, r := range records {
		if r.Size > 0 {
			total = max(total, plan.Offsets[i]+r.Size)
		}
	}
	return total
}

// restoreEmpty adds the empty records, which solvers do not get, to the placements.
func restoreEmpty(plan *Plan, records Records) {
	offsets, objects := plan.Offsets, plan.Objects
	if plan.Approach == Shared {
		plan.Objects = make([]int, len(records))
	} else {
		plan.Offsets = make([]int64, len(records))
	}
	k := 0
	for i, r := range records {
		switch {
		case plan.Approach == Shared && r.Size > 0:
			plan.Objects[i] = objects[k]
		case r.Size > 0:
			plan.Offsets[i] = offsets[k]
		case r.Pinned:
			plan.Offsets[i] = r.Offset
		}
		if r.Size > 0 {
			k++
		}
	}
	if plan.Approach == Shared && len(plan.ObjectSizes) == 0 && len(records) > 0 {
		plan.ObjectSizes = []int64{0}
	}
}

func (plan *Plan) check(records Records) error { return plan.checkDistances(records, nil) }

// checkDistances checks a plan; forbid may be nil.
func (plan *Plan) checkDistances(records Records, forbid func(a, b int) []lifetime.Range) error {
	switch {
	case plan.Approach == Shared:
		return check.Shared(records, plan.Objects, plan.ObjectSizes, plan.Total)
	case forbid != nil:
		return check.Distances(records, plan.Offsets, plan.Total, forbid)
	}
	return check.Offsets(records, plan.Offsets, plan.Total)
}
