package app

import (
	"context"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/results"
)

// quickRecords is the number of records up to which the time limit does not apply to strategies without
// search: for 2,000 records, all of them together take about 0.3 s.
const quickRecords = 2000

// Compare runs every strategy of both approaches. Limited ends with ctx, and also at the time limit. An
// approach that the records exclude is left out, which the warnings say. The error is
// [context.DeadlineExceeded] if the time limit leaves no plan, or an error of solve, and the contests
// are then those before it.
func (j *Problem) Compare(ctx, limited context.Context, o alloc.Options, solve Solver) (list []results.Contest, warnings []results.Note, err error) {
	for i, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		part, cancel := deadline.Share(limited, 2-i)
		o.Approach = approach
		contest, err := j.contest(ctx, part, o, solve)
		cancel()
		switch {
		case errors.Is(err, alloc.ErrPinnedShared):
			warnings = results.Notes(results.WarnApproach, []string{"left out of approach shared: shared objects have no offsets to pin a buffer at"})
		case errors.Is(err, alloc.ErrGapsShared):
			warnings = results.Notes(results.WarnApproach, []string{"left out of approach shared: an object holds one whole buffer at a time, so its gaps free nothing"})
		case err != nil:
			return list, nil, err
		default:
			list = append(list, contest)
		}
	}
	for i := range list {
		list[i].Warnings = append(list[i].Warnings, warnings...)
	}
	if !slices.ContainsFunc(list, func(c results.Contest) bool { return c.BestStrategy != "" }) && limited.Err() != nil {
		return list, warnings, context.DeadlineExceeded
	}
	return list, warnings, nil
}

// contest runs every strategy of an approach, searching strategies last. Each gets an equal share of the
// remaining time, unless it is quick.
func (j *Problem) contest(ctx, limited context.Context, o alloc.Options, solve Solver) (results.Contest, error) {
	c := results.NewContest(j.Title, j.Runtime, o.Approach, j.Records)
	c.Notes, c.Warnings = append(c.Notes, j.Notes...), append(c.Warnings, j.Warnings...)
	strategies := slices.DeleteFunc(alloc.Strategies(o.Approach), func(s alloc.Strategy) bool { return s.Name == alloc.Auto })
	var turns, searching []int
	for i, s := range strategies {
		if s.Searches() {
			searching = append(searching, i)
		} else {
			turns = append(turns, i)
		}
	}
	plans, errs := make([]*alloc.Plan, len(strategies)), make([]error, len(strategies))
	for n, i := range append(turns, searching...) {
		part, cancel := deadline.Share(limited, len(strategies)-n)
		if !strategies[i].Searches() && len(j.Records) <= quickRecords {
			cancel()
			part, cancel = ctx, func() {}
		}
		o.Strategy = strategies[i].Name
		plans[i], errs[i] = solve(part, j.Records, o)
		ended := part.Err() != nil && ctx.Err() == nil
		cancel()
		var tooMany *alloc.TooManyRecordsError
		switch {
		case errs[i] == nil || errors.As(errs[i], &tooMany):
		case ended:
			errs[i] = results.ErrNotFinished
		default:
			return c, errs[i]
		}
	}
	for i, s := range strategies {
		c.Add(s.Name, plans[i], errs[i])
	}
	return c, nil
}
