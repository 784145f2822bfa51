package shrink

import (
	"context"
	"sync"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/reorder"
)

// needs returns the head of a proposal in bytes, as far as is known: with its plan, or one that is better
// than the best candidate was when none was found.
func (p *proposal) needs() int64 {
	if p.best != nil {
		return p.best.Head
	}
	return p.hope.Head
}

// few returns the first proposals, at least one, that have at most the number of operators that are sorted
// at a time.
func (s *Search) few(list []*proposal) []*proposal {
	n := 0
	for i, p := range list {
		if n += p.bound.Operators; n > s.sorted && i > 0 {
			return list[:i]
		}
	}
	return list
}

// sortable reports whether a built proposal is to be tried in another order before it is planned.
// Without in-place outputs, plans reach the bound, so that nothing else is better.
func (p *proposal) sortable() bool {
	return p.known == built && p.alias == rules.NoAlias && len(p.path.Stages) > 0 && p.orders == nil && !p.sorted
}

// sort proposes and builds models in better orders: operators need not run tile by tile, and in-place outputs make other
// orders better than those of the graphs. It returns those that are new.
func (s *Search) sort(ctx context.Context, list []*proposal, round int) (better []*proposal) {
	sorted := make(map[*proposal]*proposal, len(list))
	var mu sync.Mutex
	s.each(ctx, list, func(p *proposal) error {
		q := s.inOrder(ctx, p, round)
		mu.Lock()
		defer mu.Unlock()
		sorted[p] = q
		return nil
	})
	for _, p := range list {
		if p.sortable() {
			p.sorted, p.hope = true, p.bound
		}
		if q := sorted[p]; q != nil && s.propose(q) {
			better = append(better, q)
		}
	}
	return s.buildAll(ctx, better)
}

// inOrder returns a tiled model, or one with in-place outputs, in a better order, or nil.
func (s *Search) inOrder(ctx context.Context, p *proposal, round int) *proposal {
	if len(p.path.Stages) == 0 && p.alias == rules.NoAlias || s.make(p) != nil {
		return nil
	}
	states := s.rounds[round].states
	choice, err := reorder.Choose(ctx, p.view, reorder.Options{
		Scratch: s.device.Requests(p.model), Alias: p.alias, LargerLiteRT: true, Quick: true, Own: p.needs(), States: states,
	})
	if err != nil || !choice.Gains() {
		return nil
	}
	q := &proposal{graph: p.graph, alias: p.alias, path: p.path, orders: choice.Orders, states: states}
	if p.orders != nil {
		q.orders = reorder.Compose(p.orders, choice.Orders)
	}
	q.moved = reorder.Moved(q.orders)
	return q
}
