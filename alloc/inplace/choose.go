package inplace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// A Freedom is a set of permissions for a plan: records, which may have gaps, and the takeovers and
// overlaps between them.
type Freedom struct {
	Records   []lifetime.Record
	Takeovers []lifetime.Takeover
	Overlaps  []lifetime.Overlap
}

// isEmpty reports whether there is nothing to choose: gaps are always used, and overlaps never harm.
func (f Freedom) isEmpty() bool { return len(f.Takeovers) == 0 && !lifetime.HasGaps(f.Records) }

// equal reports whether another freedom permits the same.
func (f Freedom) equal(g Freedom) bool {
	return !lifetime.HasGaps(f.Records) && slices.Equal(f.Takeovers, g.Takeovers) && slices.Equal(f.Overlaps, g.Overlaps)
}

// A Choice is a way of sharing memory.
type Choice struct {
	// Freedom is the index of the freedom that permits the way, and Records are its records.
	Freedom int
	Records []lifetime.Record
	// Merged has the records to plan. The ID of a merged record lists the IDs of its members with their
	// distances in bytes from its beginning.
	Merged *Merged
	// Overlaps are the permitted overlaps of Merged.Records, and Takeovers the undecided takeovers: see
	// [Choice.Permit].
	Overlaps  []lifetime.Overlap
	Takeovers []lifetime.Takeover

	// permitted are the permitted overlaps of Records.
	permitted []lifetime.Overlap
	// bound is a lower bound of all ways in bytes; proof is the search that proved it, if any; several
	// reports that there were several ways.
	bound   int64
	proof   alloc.Proof
	several bool
	// trial is the plan of the way found during its evaluation, or nil if time ended.
	trial *alloc.Plan
}

// A candidate is one way of sharing memory, with its breadth in bytes, a lower bound of its plans.
// undecided are takeovers that the plan decides about.
type candidate struct {
	merged    *Merged
	overlaps  []lifetime.Overlap
	undecided []lifetime.Takeover
	freedom   int
	breadth   int64
}

// Choose evaluates all ways of sharing memory until ctx ends, and returns the one with the smallest
// plan. Without time for any, it returns the one with the least breadth. Each freedom of the list
// permits everything that the earlier ones do, and has the same records except for gaps; the first one
// usually permits no takeover. look configures the plans: see [Look].
//
// It returns the errors of [alloc.Solve], except when ctx ends, and an error for an empty list.
func Choose(ctx context.Context, list []Freedom, look alloc.Options) (*Choice, error) {
	if len(list) == 0 {
		return nil, errors.New("there is no freedom to choose in")
	}
	most := list[len(list)-1]
	best, looked, err := smallestPlan(ctx, candidates(ctx, list), look)
	if err != nil {
		return nil, err
	}
	bound, proof := Bound(most.Records, most.Takeovers, most.Overlaps), alloc.Proof{}
	if looked != nil && looked.Total > bound && len(most.Takeovers) > 0 {
		if whole, plan := most.solveUndecided(ctx, len(list)-1, bound, look); plan != nil {
			if plan.LowerBound > bound {
				bound, proof = plan.LowerBound, plan.Proof
			}
			if plan.Total < looked.Total {
				best, looked = whole, plan
			}
		}
	}
	c := &Choice{
		Freedom: best.freedom, Records: list[best.freedom].Records, Merged: best.merged, Overlaps: best.overlaps, Takeovers: best.undecided,
		permitted: list[best.freedom].Overlaps, bound: bound, proof: proof, several: !most.isEmpty(), trial: looked,
	}
	c.label()
	return c, nil
}

// maxUndecided is the largest number of takeovers that a plan decides about.
const maxUndecided = 1000

// solveUndecided returns the way that leaves each takeover of a freedom to the plan, with such a plan,
// whose lower bound holds for all ways. The plan is nil if there are too many takeovers, or if time
// ended first.
func (f Freedom) solveUndecided(ctx context.Context, index int, bound int64, look alloc.Options) (candidate, *alloc.Plan) {
	w := f.candidate(index, nil)
	w.undecided = f.Takeovers
	if len(w.undecided) > maxUndecided || look.Strategy != alloc.Exact {
		return w, nil
	}
	look = look.Permit(f.Records, w.overlaps, w.undecided)
	look.Bound = alloc.Bound{Bytes: bound, Reason: boundReason}
	plan, err := alloc.Solve(ctx, f.Records, look)
	if err != nil {
		return w, nil
	}
	return w, plan
}

// trialNodes is the node limit of the search that evaluates takeovers.
const trialNodes = 20_000

// Look returns the options of [Choose] for evaluating ways for a strategy of approach Offsets: that
// strategy, or a short search if it searches itself.
func Look(strategy string) alloc.Options {
	o := alloc.Options{Approach: alloc.Offsets, Strategy: strategy}
	if strategy == "" || strategy == alloc.Auto || strategy == alloc.Exact {
		o.Strategy, o.SearchNodes = alloc.Exact, trialNodes
	}
	return o
}

// candidates returns the ways to try by breadth; when ctx ends, those so far, at least one. They
// include the permissions of lesser freedoms alone, since sharing more does not always make a plan
// smaller.
func candidates(ctx context.Context, freedoms []Freedom) (list []candidate) {
	for k, f := range freedoms {
		if k > 0 && f.equal(freedoms[k-1]) {
			continue
		}
		var more []candidate
		for _, some := range TakeoverSets(f.Records, f.Takeovers) {
			if len(list) > 0 && ctx.Err() != nil {
				break
			}
			more = append(more, f.candidate(k, some))
		}
		if len(f.Overlaps) > 0 && len(f.Takeovers) > 0 {
			more = append(more, f.candidate(k, nil)) // merged tensors overlap with fewer others
		}
		list = append(more, list...) // of equal ways, the one that shares more
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.breadth, b.breadth) })
	return list
}

// candidate returns the freedom of that index with some of its takeovers.
func (f Freedom) candidate(index int, some []lifetime.Takeover) candidate {
	merged := Merge(f.Records, some, nil)
	overlaps := merged.Overlaps(f.Records, f.Overlaps)
	return candidate{merged: merged, overlaps: overlaps, freedom: index, breadth: lifetime.LeastBreadth(merged.Records, overlaps)}
}

// smallestPlan returns the way with the smallest plan found until ctx ends, and that plan.
func smallestPlan(ctx context.Context, ways []candidate, look alloc.Options) (best candidate, looked *alloc.Plan, err error) {
	best = ways[0]
	for _, w := range ways {
		if ctx.Err() != nil || looked != nil && w.breadth >= looked.Total {
			break
		}
		plan, err := alloc.Solve(ctx, w.merged.Records, look.Permit(w.merged.Records, w.overlaps, nil))
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return best, nil, err
		}
		if looked == nil || plan.Total < looked.Total {
			best, looked = w, plan
		}
	}
	return best, looked, nil
}

// Permit returns options for planning Merged.Records with their overlaps.
func (c *Choice) Permit(o alloc.Options) alloc.Options {
	o = o.Permit(c.Merged.Records, c.Overlaps, c.Takeovers)
	if len(c.Takeovers) > 0 {
		o.Bound = alloc.Bound{Bytes: c.bound, Reason: boundReason}
	}
	return o
}

// label makes the ID of a merged record from its members, for messages and integer programs.
func (c *Choice) label() {
	for k, group := range c.Merged.Groups {
		if len(group) == 1 {
			continue
		}
		var ids []string
		for _, i := range group {
			id := c.Records[i].ID
			if at := c.Merged.Within(i); at > 0 {
				id += fmt.Sprintf("+%d", at)
			}
			ids = append(ids, id)
		}
		c.Merged.Records[k].ID = strings.Join(ids, " ")
	}
}
