package reorder

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
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
	// Scratch is the kernels' scratch requests, Alias the level of permitted in-place outputs; empty means none.
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
	// Quick compares orders by the lower bound of a plan ([pin.Bound]) instead of planning each of them, begins with the
	// view's order alone, and sets [order.Options.Unproven].
	Quick bool
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
	// Plain is the best order for plans without in-place outputs if it was searched for as well and has a smaller arena than the
	// file's order, or nil: the chosen order has a lower bound with in-place outputs, but its plan may be larger.
	Plain *schedule.Choice
}

// Choose returns the order of operators with the smallest required arena that it finds, for a
// model seen by the rule set "tflm". Unless the options permit it, Choose takes no order in
// which LiteRT computes wrong results, and none in which LiteRT's tensor arena would be larger
// than in the file's order. If LiteRT computes wrong results in the file's own order, Choose
// takes another order that needs no more memory. It returns the errors of [Least]. When ctx
// ends, Choose returns the best order so far, or ctx.Err() if there is none.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	o.Alias = cmp.Or(o.Alias, rules.NoAlias)
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
	c.Ordering, c.Plain = known(c.Ordering, s.Ordering, places), s.Plain
	if c.Plain != nil {
		c.Plain.Orders = Compose(places, c.Plain.Orders)
	}
	c.reject(s)
	return nil
}

// search finds the best order of a view. places gives the operators' positions in the file's
// order, nil if the view has that order.
//
// An order with little memory in use at a time is not the best one with in-place outputs. So with these, other searches
// have them in mind: from the view's order, and from the best one without them.
func (o Options) search(ctx context.Context, v *rules.View, places [][]int, lite *lite) (*Choice, error) {
	if o.Online || !o.Quick && v.InPlace(o.Alias) == v.Graph {
		o.Alias = rules.NoAlias
	}
	if o.Quick || o.Alias == rules.NoAlias {
		return o.among(ctx, v, places, lite)
	}
	plain := o
	plain.Alias, plain.Own = rules.NoAlias, 0
	c, err := plain.among(ctx, v, places, lite)
	if err != nil {
		return nil, err
	}
	best := &Choice{Choice: &schedule.Choice{Ordering: c.Ordering, Tried: c.Tried}}
	starts := [][][]int{make([][]int, len(c.Orders))}
	if c.Gains() {
		starts, best.Plain = append(starts, c.Orders), c.Choice
	}
	for k, start := range starts {
		w, err := v.Reordered(start)
		if err != nil {
			return nil, err
		}
		s, err := o.among(ctx, w, Compose(places, start), lite)
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if k == 0 {
			best.OwnArena, best.Arena, best.Orders = s.OwnArena, s.OwnArena, start
		}
		best.Tried += s.Tried
		best.reject(s)
		if s.Arena < best.Arena {
			best.Arena, best.Orders = s.Arena, Compose(start, s.Orders)
		}
	}
	if best.Orders == nil {
		return c, nil // there was no time
	}
	records, err := problem(v, o.Scratch).Records(best.Orders)
	best.Breadth = lifetime.MaxBreadth(records)
	return best, err
}

// reject adds the orders that another search rejected.
func (c *Choice) reject(s *Choice) {
	c.Passed = cmp.Or(min(c.Passed, s.Passed), c.Passed, s.Passed)
	if s.Wrong > 0 && (c.Wrong == 0 || s.Wrong < c.Wrong) {
		c.Wrong, c.Hazard = s.Wrong, s.Hazard
	}
}

// among finds the best order of a view in one search, with the in-place outputs of its level in mind. places is as in search.
func (o Options) among(ctx context.Context, v *rules.View, places [][]int, lite *lite) (_ *Choice, err error) {
	c := &Choice{}
	p := problem(v, o.Scratch)
	p.Unproven = o.Quick
	arena := func(orders [][]int) (int64, error) { return o.arena(ctx, v, orders) }
	if g := v.InPlace(o.Alias); g != v.Graph {
		arena = remembered(arena)
		p.Graph, p.Peak, p.Unproven = g, arena, true
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
	case o.Online:
		options.Strategy = v.Rules.Planner
	case o.Quick || o.Alias != rules.NoAlias:
		return pin.Bound(w, o.Scratch, o.Alias), deadline.Err(ctx)
	case len(records) > manyRecords:
		options.Strategy = alloc.Exact
	}
	plan, err := alloc.Solve(ctx, records, options)
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}
