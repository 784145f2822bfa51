package schedule

import (
	"context"

	"golang.org/x/exp/slices"
)

// If the order of the least peak requires a larger arena than its peak, other orders are tried in
// several rounds: in the first round orders of the same peak, then orders of any peak below the best
// arena. The constants are the numbers of orders in each round, and of rounds.
const (
	others = 8
	rounds = 3
)

// A Choice is an order of operators and its arena. Sizes are in bytes.
type Choice struct {
	*Ordering
	// Orders have the smallest arena, nil for subgraphs that keep their order. Their peak may exceed
	// the peak of the Ordering.
	Orders [][]int
	// OwnArena is the arena of the given order, and Arena the arena of Orders.
	OwnArena, Arena int64
	// Breadth is the largest breadth of Orders.
	Breadth int64
	// Tried is the number of measured orders.
	Tried int
}

// Gains reports whether the orders have a smaller arena than the given order.
func (c *Choice) Gains() bool { return c.Arena < c.OwnArena }

// Proven reports whether no order and no plan has a smaller arena.
func (c *Choice) Proven() bool { return c.Arena <= c.Bound }

// Choose returns the order with the smallest arena found. That need not be the order of the least
// breadth, since a plan may not reach the breadth. So Choose also tries others of the same breadth, and
// some of a breadth still below the arena. measure returns the arena of orders, in bytes. The given
// order is kept unless another one has a smaller arena. When ctx ends after the first measurement,
// Choose returns the best order so far.
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

// A trial measures orders until one is proven optimal or time is up.
type trial struct {
	*Problem
	ctx     context.Context
	choice  *Choice
	measure func(orders [][]int) (int64, error)
}

// try measures orders, unless they cannot improve on the best so far.
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

// others returns further orders with a peak at most slack bytes above the least.
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
