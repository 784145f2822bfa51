package tiles

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// Solve plans a problem with a strategy of [alloc.Offsets] and checks the plan with [Check]. Offsets
// are the tensors' offsets in bytes. The lower bound is the peak of bytes in use, or one that a search
// has proven. Solve ignores the options Approach, Forbidden and Bound.
//
// Solve returns an [*Error] for an invalid problem, and the errors of [alloc.Solve].
func Solve(ctx context.Context, p Problem, opt alloc.Options) (*alloc.Plan, error) {
	prepared, err := Prepare(p)
	if err != nil {
		return nil, err
	}
	return prepared.Solve(ctx, opt)
}

// A Prepared is a problem with the lifetimes of its bytes. Deriving these can take longer than a
// quick plan, so several plans share them.
type Prepared struct {
	problem Problem
	view    *view
	bound   alloc.Bound
}

// Prepare returns an [*Error] for an invalid problem.
func Prepare(p Problem) (*Prepared, error) {
	v, err := p.view()
	if err != nil {
		return nil, err
	}
	return &Prepared{p, v, v.bound()}, nil
}

// Solve plans the problem as function [Solve] does.
func (p *Prepared) Solve(ctx context.Context, opt alloc.Options) (*alloc.Plan, error) {
	opt.Approach, opt.Forbidden, opt.Bound = alloc.Offsets, p.view.forbidden, p.bound
	plan, err := alloc.Solve(ctx, p.view.records, opt)
	if err != nil {
		return nil, err
	}
	if err := Check(p.problem, plan.Offsets, plan.Total); err != nil {
		return nil, fmt.Errorf("fault in tflarena, please report it: strategy %s made a wrong plan: %w", plan.Winner, err)
	}
	return plan, nil
}

// Records returns usage records that are alive while any byte of their tensor is in use. Positions are
// half steps: step s has positions 2s and 2s+1. A plan of the records is a plan of the problem, though
// usually larger than the plan of [Solve]. The error is an [*Error].
func Records(p Problem) ([]lifetime.Record, error) {
	v, err := p.view()
	if err != nil {
		return nil, err
	}
	return v.records, nil
}

// A view has the lifetimes of the bytes of a problem.
type view struct {
	records []lifetime.Record
	ramps   [][]ramp
	steps   []change
}

func (p Problem) view() (*view, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	v := &view{records: make([]lifetime.Record, len(p.Tensors)), ramps: make([][]ramp, len(p.Tensors))}
	for i, t := range p.Tensors {
		own, whole, err := t.Lives(p.Semantics)
		if e := (*lifetime.AccessError)(nil); errors.As(err, &e) {
			return nil, &Error{i, e.Access, e.Problem}
		}
		v.ramps[i] = rampsOf(rampsOf(nil, own), whole)
		r := lifetime.Record{ID: t.ID, Name: t.Name, Size: t.Size, Align: t.Align}
		for k, u := range append(own, whole...) {
			if k == 0 {
				r.First, r.Last = u.First, u.Last
			}
			r.First, r.Last = min(r.First, u.First), max(r.Last, u.Last)
			v.steps = append(v.steps, change{u.First, u.Hi - u.Lo}, change{u.Last + 1, u.Lo - u.Hi})
		}
		v.records[i] = r
	}
	if err := lifetime.CheckRecords(v.records); err != nil {
		return nil, &Error{-1, -1, err.Error()}
	}
	return v, nil
}

// forbidden is an [alloc.Options.Forbidden].
func (v *view) forbidden(a, b int) []lifetime.Range { return forbidden(v.ramps[a], v.ramps[b]) }
