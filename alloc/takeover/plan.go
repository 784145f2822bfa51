package takeover

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
)

// A FaultError is a fault of this project: a plan has not passed the checker.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return fmt.Sprintf("fault in a plan: %v", e.Err) }
func (e *FaultError) Unwrap() error { return e.Err }

// Plan returns a plan of Merged.Records as one of Records. It has passed the checker; that it
// does not is a [*FaultError]. What was proven of this way of sharing alone is taken back, as
// another way may lead to a smaller plan, unless a bound of all ways says that none does.
func (c *Choice) Plan(merged *alloc.Plan) (*alloc.Plan, error) {
	plan := *merged
	plan.Offsets = c.Merged.Offsets(merged.Offsets)
	if err := check.Aliased(c.Records, plan.Offsets, plan.Total, c.Merged.Taken); err != nil {
		return nil, &FaultError{err}
	}
	if c.free {
		plan.LowerBound, plan.Optimal, plan.Proof = c.bound, false, ""
		if plan.Total == plan.LowerBound {
			plan.Optimal, plan.Proof = true, "the total equals the lower bound: "+apart
		}
	}
	return &plan, nil
}

// apart is what a bound of all ways rests on.
const apart = "the bytes at one operator that cannot share memory"

// Verdict returns the verdict about Merged.Records and a capacity in bytes as one about Records.
// Like [Choice.Plan] it takes back what holds of this way of sharing alone.
func (c *Choice) Verdict(merged *alloc.Verdict, capacity int64) *alloc.Verdict {
	v := *merged
	if c.free && v.Answer == alloc.Misfit {
		v.Answer, v.Proof, v.Core = alloc.Unknown, "", nil
		if c.bound > capacity {
			v.Answer, v.Proof = alloc.Misfit, apart
		}
	}
	var core []int
	for _, i := range v.Core {
		core = append(core, c.Merged.Groups[i]...)
	}
	v.Core = core
	return &v
}

// Instead returns the plan that was found when the way was looked at where that is to be taken
// instead of one of [alloc.Solve], or of the error with which it ended: where it is smaller, or
// time was up before there was any plan. It returns nil where it is not.
func (c *Choice) Instead(plan *alloc.Plan, err error, strategy string) *alloc.Plan {
	looked := c.soFar(err, strategy)
	if looked != nil && (err != nil || looked.Total < plan.Total) {
		return looked
	}
	return nil
}

// InsteadWithin is [Choice.Instead] for the verdict of [alloc.Fit] about a capacity in bytes:
// the plan is taken instead where it fits, and nothing else does.
func (c *Choice) InsteadWithin(capacity int64, verdict *alloc.Verdict, err error, strategy string) *alloc.Plan {
	looked := c.soFar(err, strategy)
	if looked != nil && (err != nil || verdict.Answer != alloc.Fits && looked.Total <= capacity) {
		return looked
	}
	return nil
}

// soFar returns the plan that was found when the way was looked at, as one of a strategy; nil
// where there is none, and where err is no ended context.
func (c *Choice) soFar(err error, strategy string) *alloc.Plan {
	late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if c == nil || c.looked == nil || err != nil && !late {
		return nil
	}
	plan := *c.looked
	plan.Strategy, plan.Interrupted = strategy, plan.Interrupted || late
	return &plan
}
