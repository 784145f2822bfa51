package reorder

import (
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// planTime is how long each of several orders is planned for where the quick strategies
// leave open what its arena is.
const planTime = 100 * time.Millisecond

// manyRecords is the number of records from which the strategies that search without an end
// of their own take longer than that, and are left out.
const manyRecords = 100

// Options say what [Choose] measures.
type Options struct {
	// Scratch is what the kernels ask for, Alias which outputs may take over inputs.
	Scratch []rules.Request
	Alias   rules.Alias
	// IgnoreLiteRT takes orders also under which LiteRT's arena is larger than in the
	// file's.
	IgnoreLiteRT bool
	// Own is the arena in the file's order in bytes, zero where that is not known.
	Own int64
	// States is how many states the search for orders may find, zero for
	// [order.DefaultStates].
	States int
	// Online measures the head that the runtime's own planner makes, for a model that is
	// to carry no plan.
	Online bool
}

// A Choice is an order and its arena in bytes.
type Choice struct {
	*schedule.Choice
	// Passed is the smallest arena of the orders that were not taken because LiteRT's
	// would have been larger, zero where there is none.
	Passed int64
}

// Choose returns the order of operators with the smallest arena that it finds, for a
// model seen by the rule set "tflm". It takes no order in which LiteRT's arena would be
// larger than in the file's. Errors are those of [Least]; when ctx ends it returns the
// best order until then, or ctx.Err() where there is none.
func Choose(ctx context.Context, v *rules.View, o Options) (*Choice, error) {
	lite, err := newLite(ctx, v.Model)
	if err != nil {
		return nil, err
	}
	c := &Choice{}
	c.Choice, err = problem(v, o.Scratch).Choose(ctx, o.States, func(orders [][]int) (int64, error) {
		if o.Own > 0 && !slices.ContainsFunc(orders, func(order []int) bool { return order != nil }) {
			return o.Own, nil
		}
		total, err := o.arena(ctx, v, orders)
		if err != nil || o.IgnoreLiteRT {
			return total, err
		}
		larger, err := lite.larger(ctx, orders)
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
	records, options := w.WithScratch(o.Scratch), alloc.Options{Approach: alloc.Offsets, SearchTime: planTime}
	if o.Online {
		options.Strategy = v.Rules.Planner
	} else {
		records = schedule.Merge(records, schedule.Whole(records, w.Takeovers(o.Alias)), nil).Records
		if len(records) > manyRecords {
			options.Strategy = "exact"
		}
	}
	plan, err := alloc.Solve(ctx, records, options)
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}

// lite is what LiteRT makes of a model in the order of the file: a view and the arena in
// bytes for each subgraph.
type lite struct {
	views []*rules.View
	own   []int64
}

func newLite(ctx context.Context, m *tflite.Model) (*lite, error) {
	r, err := rules.Lookup("litert")
	if err != nil {
		return nil, err
	}
	l := &lite{}
	for s := range m.Subgraphs {
		v, err := r.View(m, s)
		if err != nil {
			return nil, err
		}
		own, err := l.arena(ctx, v)
		if err != nil {
			return nil, err
		}
		l.views, l.own = append(l.views, v), append(l.own, own)
	}
	return l, nil
}

// larger reports whether LiteRT needs more memory under orders.
func (l *lite) larger(ctx context.Context, orders [][]int) (bool, error) {
	for s, v := range l.views {
		if s >= len(orders) || orders[s] == nil {
			continue
		}
		alone := make([][]int, s+1) // the view has no operators of other subgraphs
		alone[s] = orders[s]
		w, err := v.Reordered(alone)
		if err != nil {
			return false, err
		}
		arena, err := l.arena(ctx, w)
		if err != nil || arena > l.own[s] {
			return true, err
		}
	}
	return false, nil
}

func (l *lite) arena(ctx context.Context, v *rules.View) (int64, error) {
	plan, err := alloc.Solve(ctx, v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: v.Rules.Planner})
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}
