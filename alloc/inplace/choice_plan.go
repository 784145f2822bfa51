package inplace

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// A FaultError is an internal error: a plan did not pass the checker.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return fmt.Sprintf("fault in a plan: %v", e.Err) }
func (e *FaultError) Unwrap() error { return e.Err }

// Plan turns a plan of Merged.Records into one of Records that has passed the checker. If the checker
// rejects it, the error is a [*FaultError]. A proof for this way of sharing alone is dropped, because
// another way may lead to a smaller plan, unless a bound of all ways excludes that.
func (c *Choice) Plan(merged *alloc.Plan) (*alloc.Plan, error) {
	plan := *merged
	plan.Offsets = c.Merged.Offsets(merged.Offsets)
	if err := check.Aliased(c.Records, plan.Offsets, plan.Total, c.Taken(plan.Offsets), c.permitted); err != nil {
		return nil, &FaultError{err}
	}
	if c.several {
		plan.LowerBound, plan.Optimal, plan.Proof = c.bound, false, alloc.Proof{}
		if plan.Total == plan.LowerBound {
			plan.Optimal, plan.Proof = true, cmp.Or(c.proof, alloc.Proof{Kind: alloc.ByBound, Bound: alloc.Bound{Bytes: c.bound, Reason: boundReason}})
		}
	}
	return &plan, nil
}

// Taken returns the takeovers used by a plan of Records, given by its offsets in bytes.
func (c *Choice) Taken(offsets []int64) []lifetime.Takeover {
	if len(c.Takeovers) == 0 {
		return c.Merged.Taken
	}
	return slices.DeleteFunc(slices.Clone(c.Takeovers), func(t lifetime.Takeover) bool {
		return !c.Records[t.From].Overlaps(c.Records[t.To]) || offsets[t.To]-offsets[t.From] != t.Offset
	})
}

// Overlapping returns the permitted overlaps whose two records share bytes in a plan of Records, given
// by its offsets in bytes.
func (c *Choice) Overlapping(offsets []int64) (list []lifetime.Overlap) {
	for _, o := range c.permitted {
		from, to := c.Records[o.From], c.Records[o.To]
		if offsets[o.From] < offsets[o.To]+to.Size && offsets[o.To] < offsets[o.From]+from.Size {
			list = append(list, o)
		}
	}
	return list
}

// boundReason is the basis of a bound of all ways.
const boundReason = "the bytes at one operator that cannot share memory"

// Verdict turns a verdict about Merged.Records and a capacity in bytes into one about Records. Like
// [Choice.Plan], it drops proofs for this way of sharing alone.
func (c *Choice) Verdict(merged *alloc.Verdict, capacity int64) *alloc.Verdict {
	v := *merged
	if c.several && v.Answer == alloc.Misfit {
		v.Answer, v.Proof, v.Core = alloc.Unknown, alloc.Proof{}, nil
		if c.bound > capacity {
			v.Answer, v.Proof = alloc.Misfit, cmp.Or(c.proof, alloc.Proof{Kind: alloc.ByExcess, Text: boundReason})
		}
	}
	var core []int
	for _, i := range v.Core {
		core = append(core, c.Merged.Groups[i]...)
	}
	v.Core = core
	return &v
}

// Instead returns the plan found while the way was evaluated, if it is smaller than the plan of
// [alloc.Solve] for a strategy, or if time ended before there was one. Otherwise it returns nil, as for
// a nil choice.
func (c *Choice) Instead(plan *alloc.Plan, err error, strategy string) *alloc.Plan {
	looked := c.trialPlan(err, strategy)
	if looked != nil && (err != nil || looked.Total < plan.Total) {
		return looked
	}
	return nil
}

// InsteadWithin is [Choice.Instead] for a verdict of [alloc.Fit] about a capacity in bytes: it returns
// the plan if it fits and Fit found none that does, or if Fit has no answer and the plan is smaller or
// proven optimal.
func (c *Choice) InsteadWithin(capacity int64, verdict *alloc.Verdict, err error, strategy string) *alloc.Plan {
	looked := c.trialPlan(err, strategy)
	switch {
	case looked == nil || err == nil && verdict.Answer == alloc.Fits:
		return nil
	case err != nil || looked.Total <= capacity:
		return looked
	case verdict.Answer == alloc.Unknown && (looked.Optimal || looked.Total < verdict.Plan.Total):
		return looked
	}
	return nil
}

// trialPlan returns the plan found while the way was evaluated, as a plan of a strategy; nil if there is
// none, or if err is not an ended context's.
func (c *Choice) trialPlan(err error, strategy string) *alloc.Plan {
	late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if c == nil || c.trial == nil || err != nil && !late {
		return nil
	}
	plan := *c.trial
	plan.Strategy, plan.Interrupted = strategy, late // a short evaluation is limited by nodes, not by time
	return &plan
}
