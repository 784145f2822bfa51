package schedule

import (
	"context"

	"golang.org/x/exp/slices"
)

// Where the order of the least peak needs a larger arena than its peak, other orders are
// tried in several rounds: in the first round those of the same peak, then those of any peak
// below the best arena. The constants say how many rounds, and how many orders in each.
const (
	others = 8
	rounds = 3
)

// A Choice is an order of operators and the arena that it leads to. Sizes are in bytes.
type Choice struct {
	*Ordering
	// Orders are those of the smallest arena, nil for subgraphs that keep their order.
	// Their peak may be larger than that of the Ordering.
	Orders [][]int
	// OwnArena is the arena in the given order, and Arena that in Orders.
	OwnArena, Arena int64
	// Breadth is the largest breadth of Orders.
	Breadth int64
	// Tried is the number of orders whose arena was measured.
	Tried int
}

// Gains reports whether the orders lead to a smaller arena than the given order.
func (c *Choice) Gains() bool { return c.Arena < c.OwnArena }

// Proven reports whether no order and no plan leads to a smaller arena.
func (c *Choice) Proven() bool { return c.Arena <= c.Bound }

// Choose looks for the order whose arena is the smallest. That need not be the order of the
// least breadth, since a plan may not reach the breadth. So Choose also tries others of the
// same breadth, and some of a breadth that is still below the arena. measure returns the
// arena under orders, in bytes. The given order is kept unless another one has a smaller
// arena. When ctx ends after the first measurement, Choose returns the best order until
// then.
func (p *Problem) Choose(ctx context.Context, states int, measure func(orders [][]int) (int64, error)) (*Choice, error) {
	least, err := p.Least(ctx, states)
	if err != nil {
		return nil, err
	}
	given := make([][]int, len(p.Graph.Subgraphs))
	c := &Choice{Ordering: least, Orders: given, Tried: 1}
	if c.OwnArena, err = measure(given); err != nil {
		return nil, err
	}
	c.Arena, c.Breadth = c.OwnArena, least.Own
	t := &trial{Problem: p, ctx: ctx, choice: c, measure: measure}
	if err := t.try(least.Orders); err != nil {
		return nil, err
	}
	for round := range rounds {
		slack := int64(0)
		if round > 0 {
			slack = c.Arena - 1 - least.Peak
		}
		if slack < 0 {
			continue
		}
		for _, orders := range least.others(slack, uint64(round)) {
			if err := t.try(orders); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// A trial measures orders until one is proven the best or time is up.
type trial struct {
	*Problem
	ctx     context.Context
	choice  *Choice
	measure func(orders [][]int) (int64, error)
}

// try measures orders, unless they cannot be better than the best so far.
func (t *trial) try(orders [][]int) error {
	c := t.choice
	if c.Proven() || t.ctx.Err() != nil {
		return nil
	}
	peak, err := t.peak(orders)
	if err != nil || peak >= c.Arena {
		return err
	}
	arena, err := t.measure(orders)
	if err != nil && t.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Tried++; arena < c.Arena {
		c.Arena, c.Orders, c.Breadth = arena, orders, peak
	}
	return nil
}

// others returns further orders, of a peak that is at most slack bytes above the least.
func (o *Ordering) others(slack int64, seed uint64) [][][]int {
	list := make([][][]int, others)
	for k := range list {
		list[k] = slices.Clone(o.Orders)
	}
	for s, least := range o.least {
		if least == nil {
			continue
		}
		for k, places := range least.Others(others, slack, seed) {
			list[k][s] = places
		}
	}
	return list
}
