package reorder

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// planTime is the time limit for planning each of several orders, if the fast strategies do not
// settle its arena.
const planTime = time.Minute

// planNodes is the node limit of such a search, so that results do not depend on the machine.
const planNodes = 20_000

// manyRecords is the number of records from which the strategies that search without their own
// limit exceed planTime and are omitted.
const manyRecords = 100

// Options configures [Choose].
type Options struct {
	// Scratch is the kernels' scratch requests, Alias the level of permitted in-place outputs.
	Scratch []rules.Request
	Alias   rules.Alias
	// LargerLiteRT permits orders in which LiteRT's tensor arena (without temporary tensors of
	// its kernels) is larger than in the file's order. WrongLiteRT also permits orders in which
	// LiteRT computes wrong results ([rules.Hazard]).
	LargerLiteRT, WrongLiteRT bool
	// Own is the arena in the file's order in bytes, zero if unknown.
	Own int64
	// States is the maximum number of states in the search for orders, zero for
	// [order.DefaultStates].
	States int
	// Online measures the head of the runtime's own planner, for a model without a plan.
	Online bool
	// Unplanned compares orders by the lower bound of a plan ([pin.Bound]) instead of planning each of them, searches with
	// in-place outputs in mind, and sets [order.Options.Unproven].
	Unplanned bool
}

// Choice is an order of operators with its arena in bytes.
type Choice struct {
	*schedule.Choice
	// Passed is the required arena of the orders rejected because LiteRT's tensor arena would
	// be larger, zero if there were none.
	Passed int64
	// Wrong is the required arena of the orders rejected because LiteRT computes wrong results
	// in them, zero if there were none. Hazard is a hazard violated by one of them.
	Wrong  int64
	Hazard *rules.Hazard
	// Broken are the hazards violated by the chosen orders. It is empty unless requested, or
	// unless the file's own order violates them too.
	Broken []rules.Hazard
	// Mends reports that LiteRT computes wrong results in the file's order and correct ones in
	// the chosen order, whose arena is no larger.
	Mends bool
}

// Choose returns the order of operators with the smallest required arena that it finds, for a
// model seen by the rule set "tflm". Unless the options permit it, Choose takes no order in
// which LiteRT computes wrong results, and none in which LiteRT's tensor arena would be larger
// than in the file's order. If LiteRT computes wrong results in the file's own order, Choose
// takes another order that needs no more memory. It returns the errors of [Least]. When ctx
// ends, Choose returns the best order so far, or ctx.Err() if there is none.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	lite := newLite(v.Model)
	c, err := o.search(ctx, v, nil, lite)
	if err != nil {
		return nil, err
	}
	bad := len(broken(lite.hazards, nil)) > 0 && !o.WrongLiteRT
	if (bad || c.Wrong > 0 && c.Wrong < c.Arena) && ctx.Err() == nil {
		if err := o.improve(ctx, v, lite, c, bad); err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	c.Broken = broken(lite.hazards, c.Orders)
	c.Mends = bad && len(c.Broken) == 0
	return c, nil
}

// improve searches for a better order among those that LiteRT runs correctly, or, if LiteRT
// does not run the file's correctly, for an equally good one.
func (o Options) improve(ctx context.Context, v *rules.View, lite *lite, c *Choice, bad bool) error {
	careful, places, ok := carefully(v, lite.hazards)
	if !ok {
		return nil
	}
	if places != nil {
		o.Own = 0 // the arena of the file's order
	}
	s, err := o.search(ctx, careful, places, lite)
	if err != nil || s.Arena > c.Arena || s.Arena == c.Arena && !(bad && !c.Gains()) {
		return err
	}
	c.Arena, c.Orders, c.Breadth, c.Tried = s.Arena, Compose(places, s.Orders), s.Breadth, c.Tried+s.Tried
	c.Ordering = known(c.Ordering, s.Ordering, places)
	c.Passed = cmp.Or(min(c.Passed, s.Passed), c.Passed, s.Passed)
	return nil
}

// search finds the best order of a view. places gives the operators' positions in the file's
// order, nil if the view has that order.
func (o Options) search(ctx context.Context, v *rules.View, places [][]int, lite *lite) (_ *Choice, err error) {
	c := &Choice{}
	p := problem(v, o.Scratch)
	arena := func(orders [][]int) (int64, error) { return o.arena(ctx, v, orders) }
	if o.Unplanned {
		p.Unproven = true
		if g := v.InPlace(o.Alias); g != v.Graph {
			arena = remembered(arena)
			p.Graph, p.Peak = g, arena
		}
	}
	c.Choice, err = p.Choose(ctx, o.States, func(orders [][]int) (int64, error) {
		inFile := Compose(places, orders)
		same := !slices.ContainsFunc(inFile, func(order []int) bool { return order != nil })
		if o.Own > 0 && same {
			return o.Own, nil
		}
		total, err := arena(orders)
		if err != nil || same {
			return total, err
		}
		if list := broken(lite.hazards, inFile); len(list) > 0 && !o.WrongLiteRT {
			if c.Wrong == 0 || total < c.Wrong {
				c.Wrong, c.Hazard = total, &list[0]
			}
			return lifetime.MaxTotal, nil
		}
		if o.LargerLiteRT {
			return total, nil
		}
		larger, err := lite.larger(ctx, inFile)
		if err != nil || !larger {
			return total, err
		}
		if c.Passed == 0 || total < c.Passed {
			c.Passed = total
		}
		return lifetime.MaxTotal, nil
	})
	return c, err
}

// remembered returns a function that computes each result once.
func remembered(arena func(orders [][]int) (int64, error)) func(orders [][]int) (int64, error) {
	known := map[string]int64{}
	return func(orders [][]int) (int64, error) {
		key := fmt.Sprint(orders)
		if bytes, ok := known[key]; ok {
			return bytes, nil
		}
		bytes, err := arena(orders)
		if err == nil {
			known[key] = bytes
		}
		return bytes, err
	}
}

// arena returns the arena of a view under orders.
func (o Options) arena(ctx context.Context, v *rules.View, orders [][]int) (int64, error) {
	w, err := v.Reordered(orders)
	if err != nil {
		return 0, err
	}
	records, options := w.WithScratch(o.Scratch), alloc.Options{Approach: alloc.Offsets, SearchTime: planTime, SearchNodes: planNodes}
	switch {
	case o.Unplanned && deadline.Err(ctx) != nil:
		return 0, deadline.Err(ctx)
	case o.Unplanned:
		return pin.Bound(w, o.Scratch, o.Alias), nil
	case o.Online:
		options.Strategy = v.Rules.Planner
	default:
		records = inplace.Merge(records, inplace.Whole(records, w.Takeovers(o.Alias)), nil).Records
		if len(records) > manyRecords {
			options.Strategy = alloc.Exact
		}
	}
	plan, err := alloc.Solve(ctx, records, options)
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}
