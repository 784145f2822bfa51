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

// A Freedom is what is permitted in a plan: records as they are in each other's way, which may
// have gaps, and the takeovers and overlaps between them.
type Freedom struct {
	Records   []lifetime.Record
	Takeovers []lifetime.Takeover
	Overlaps  []lifetime.Overlap
}

// none reports whether there is nothing to choose: gaps are always kept free, and overlaps never
// in the way.
func (f Freedom) none() bool { return len(f.Takeovers) == 0 && !lifetime.HasGaps(f.Records) }

// same reports whether another freedom permits the same.
func (f Freedom) same(g Freedom) bool {
	return !lifetime.HasGaps(f.Records) && slices.Equal(f.Takeovers, g.Takeovers) && slices.Equal(f.Overlaps, g.Overlaps)
}

// A Choice is a way of sharing memory.
type Choice struct {
	// Freedom is the index of the freedom that permits the way, and Records are its records.
	Freedom int
	Records []lifetime.Record
	// Merged has the records to be planned. The ID of a record that stands for several others
	// lists their IDs, and how many bytes behind its beginning each of them begins.
	Merged *Merged
	// Overlaps are those that Merged.Records may have, and Takeovers those that are still open:
	// see [Choice.Permit].
	Overlaps  []lifetime.Overlap
	Takeovers []lifetime.Takeover

	// permitted are the overlaps that Records may have.
	permitted []lifetime.Overlap
	// bound is a number of bytes that no plan goes below, in whichever way, and proof says
	// which search has shown that, if one has; free says that there were several ways.
	bound int64
	proof alloc.Proof
	free  bool
	// looked is the plan of the way that was found when it was looked at, nil where there was
	// no time.
	looked *alloc.Plan
}

// A way is one of those in which records may share memory, and the breadth below which no plan
// of it is, in bytes. open are takeovers that the plan is to decide about.
type way struct {
	merged   *Merged
	overlaps []lifetime.Overlap
	open     []lifetime.Takeover
	freedom  int
	breadth  int64
}

// Choose looks at all ways of sharing memory until ctx ends, and returns the one with the
// smallest plan. If there is no time to look at any, it returns the one with the least breadth.
// Each freedom of the list permits all that those before it do, and has the same records but for
// their gaps; the first one usually permits no takeover. look says how a plan of each way is
// looked for: see [Look].
//
// Its errors are those of [alloc.Solve], but for those of an ended context, and an empty list.
func Choose(ctx context.Context, list []Freedom, look alloc.Options) (*Choice, error) {
	if len(list) == 0 {
		return nil, errors.New("there is no freedom to choose in")
	}
	most := list[len(list)-1]
	best, looked, err := narrowest(ctx, ways(ctx, list), look)
	if err != nil {
		return nil, err
	}
	bound, proof := Bound(most.Records, most.Takeovers, most.Overlaps), alloc.Proof{}
	if looked != nil && looked.Total > bound && len(most.Takeovers) > 0 {
		if whole, plan := most.open(ctx, len(list)-1, bound, look); plan != nil {
			if plan.LowerBound > bound {
				bound, proof = plan.LowerBound, plan.Proof
			}
			if plan.Total < looked.Total {
				best, looked = whole, plan
			}
		}
	}
	c := &Choice{
		Freedom: best.freedom, Records: list[best.freedom].Records, Merged: best.merged, Overlaps: best.overlaps, Takeovers: best.open,
		permitted: list[best.freedom].Overlaps, bound: bound, proof: proof, free: !most.none(), looked: looked,
	}
	c.label()
	return c, nil
}

// mostOpen is the most takeovers about which a plan decides by itself.
const mostOpen = 1000

// open returns the way in which a plan decides itself about each takeover of a freedom, and a plan
// of it: its lower bound is one of all ways. There is none where that is too much, or not found in
// time.
func (f Freedom) open(ctx context.Context, index int, bound int64, look alloc.Options) (way, *alloc.Plan) {
	w := f.way(index, nil)
	w.open = f.Takeovers
	if len(w.open) > mostOpen || look.Strategy != alloc.Exact {
		return w, nil
	}
	look = look.Permit(f.Records, w.overlaps, w.open)
	look.Bound = alloc.Bound{Bytes: bound, Reason: apart}
	plan, err := alloc.Solve(ctx, f.Records, look)
	if err != nil {
		return w, nil
	}
	return w, plan
}

// lookNodes is how far a plan is searched for to see which takeovers help.
const lookNodes = 20_000

// Look returns how [Choose] looks at a way for a plan by a strategy of approach Offsets: by that
// strategy, or by a short search where it searches itself.
func Look(strategy string) alloc.Options {
	o := alloc.Options{Approach: alloc.Offsets, Strategy: strategy}
	if strategy == "" || strategy == alloc.Auto || strategy == alloc.Exact {
		o.Strategy, o.SearchNodes = alloc.Exact, lookNodes
	}
	return o
}

// ways returns those to try, by breadth; when ctx ends, those until then, one at least. All that
// a lesser freedom permits is among them: what may be shared need not make a plan smaller.
func ways(ctx context.Context, freedoms []Freedom) (list []way) {
	for k, f := range freedoms {
		if k > 0 && f.same(freedoms[k-1]) {
			continue
		}
		var more []way
		for _, some := range Ways(f.Records, f.Takeovers) {
			if len(list) > 0 && ctx.Err() != nil {
				break
			}
			more = append(more, f.way(k, some))
		}
		if len(f.Overlaps) > 0 && len(f.Takeovers) > 0 {
			more = append(more, f.way(k, nil)) // tensors that are one overlap with fewer others
		}
		list = append(more, list...) // of ways that come to the same, the one that shares more
	}
	slices.SortStableFunc(list, func(a, b way) int { return cmp.Compare(a.breadth, b.breadth) })
	return list
}

// way returns the freedom of that index with some of its takeovers.
func (f Freedom) way(index int, some []lifetime.Takeover) way {
	merged := Merge(f.Records, some, nil)
	overlaps := merged.Overlaps(f.Records, f.Overlaps)
	return way{merged: merged, overlaps: overlaps, freedom: index, breadth: lifetime.LeastBreadth(merged.Records, overlaps)}
}

// narrowest returns the way that leads to the smallest plan, as far as a look tells until ctx
// ends, and its plan.
func narrowest(ctx context.Context, ways []way, look alloc.Options) (best way, looked *alloc.Plan, err error) {
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

// Permit returns options by which Merged.Records are planned with their overlaps.
func (c *Choice) Permit(o alloc.Options) alloc.Options {
	o = o.Permit(c.Merged.Records, c.Overlaps, c.Takeovers)
	if len(c.Takeovers) > 0 {
		o.Bound = alloc.Bound{Bytes: c.bound, Reason: apart}
	}
	return o
}

// label makes the ID of a merged record one of all that it stands for: for messages, and for who
// reads an integer program.
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
