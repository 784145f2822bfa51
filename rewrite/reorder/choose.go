package reorder

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// planTime is how long, at most, each of several orders is planned for where the quick strategies
// leave open what its arena is.
const planTime = time.Minute

// planNodes is how many nodes such a search may visit, so that what is found does not depend
// on the machine.
const planNodes = 20_000

// manyRecords is the number of records from which the strategies that search without an end
// of their own take longer than that, and are left out.
const manyRecords = 100

// Options say what [Choose] measures.
type Options struct {
	// Scratch is what the kernels ask for, and Alias says which outputs may take over
	// inputs.
	Scratch []rules.Request
	Alias   rules.Alias
	// LargerLiteRT permits orders in which LiteRT's tensor arena (without temporary tensors of its
	// kernels) is larger than in the file's order. WrongLiteRT also permits orders in which LiteRT computes something else
	// ([rules.Hazard]).
	LargerLiteRT, WrongLiteRT bool
	// Own is the arena in the file's order in bytes, zero where that is not known.
	Own int64
	// States is how many states the search for orders may find, zero for
	// [order.DefaultStates].
	States int
	// Online measures the head that the runtime's own planner makes. It is for a model that
	// is to carry no plan.
	Online bool
}

// A Choice is an order of operators with its arena in bytes.
type Choice struct {
	*schedule.Choice
	// Passed is the required arena of the orders that were not taken because LiteRT's
	// tensor arena would have been larger, zero where there were none.
	Passed int64
	// Wrong is the required arena of the orders that were not taken because LiteRT computes
	// something else in them, zero where there were none. Hazard is a hazard that one of
	// them breaks.
	Wrong  int64
	Hazard *rules.Hazard
	// Broken are the hazards that the chosen orders do not keep. There are some only where
	// that was asked for, or where the file's own order does not keep them either.
	Broken []rules.Hazard
	// Mends says that LiteRT computes something else in the file's order and not in the
	// chosen one, whose arena is no larger.
	Mends bool
}

// Choose returns the order of operators with the required arena that it finds, for a model
// seen by the rule set "tflm". Unless the options permit it, Choose takes no order in which
// LiteRT computes something else, and none in which LiteRT's tensor arena would be larger
// than in the file's order. Where LiteRT computes something else in the file's own order, Choose
// takes another order that needs no more memory. Errors are those of [Least]. When ctx
// ends, Choose returns the best order until then, or ctx.Err() where there is none.
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

// improve looks for a better order among those that LiteRT runs right, or, where the file's
// is bad in that respect, for one that is as good.
func (o Options) improve(ctx context.Context, v *rules.View, lite *lite, c *Choice, bad bool) error {
	careful, places, ok := carefully(v, lite.hazards)
	if !ok {
		return nil
	}
	if places != nil {
		o.Own = 0 // which is that of the file's order
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

// search looks for the best order of a view whose operators stand in places of the file's
// order, nil where that is the order of the view.
func (o Options) search(ctx context.Context, v *rules.View, places [][]int, lite *lite) (_ *Choice, err error) {
	c := &Choice{}
	c.Choice, err = problem(v, o.Scratch).Choose(ctx, o.States, func(orders [][]int) (int64, error) {
		inFile := Compose(places, orders)
		same := !slices.ContainsFunc(inFile, func(order []int) bool { return order != nil })
		if o.Own > 0 && same {
			return o.Own, nil
		}
		total, err := o.arena(ctx, v, orders)
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

// arena returns the arena of a view under orders.
func (o Options) arena(ctx context.Context, v *rules.View, orders [][]int) (int64, error) {
	w, err := v.Reordered(orders)
	if err != nil {
		return 0, err
	}
	records, options := w.WithScratch(o.Scratch), alloc.Options{Approach: alloc.Offsets, SearchTime: planTime, SearchNodes: planNodes}
	if o.Online {
		options.Strategy = v.Rules.Planner
	} else {
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
