package shrink

import (
	"context"
	"runtime"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/workers"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// explore searches for a goal at its level of in-place outputs, with the work of a round. It ends when
// nothing is left that may be better than the best candidate.
//
// The proposals are a queue, the most hopeful first. The first one is looked at more closely: it is
// built if it is only estimated, and planned if it is built. When none is hopeful enough, the neighbours
// of the best candidates are proposed.
func (s *Search) explore(ctx context.Context, g *Goal, round int) {
	s.begin(ctx, g, round)
	s.thorough = round > surveyed
	plans, effort := s.rounds[round].plans, s.rounds[round].effort
	for _, p := range s.queue {
		if p.alias == g.Alias && p.failed > 0 && p.failed < effort {
			p.hope, p.likely, p.failed = p.bound, p.bound, 0
		}
	}
	for deadline.Err(ctx) == nil && plans > 0 {
		best := s.bestAt(g, g.Alias)
		if g.first && best != nil && g.met(&best.best.Cost) {
			return
		}
		next := s.hopeful(g, best)
		if len(next) == 0 {
			if g.quick || !s.expandBest(ctx, g, s.rounds[round].expanded) {
				break
			}
			continue
		}
		s.each(ctx, first(next, s.built, func(p *proposal) bool { return p.known == estimated }), s.build)
		s.vary(ctx, s.few(first(s.hopeful(g, best), s.built, (*proposal).sortable)), round)
		take := first(s.hopeful(g, best), s.planned, func(p *proposal) bool {
			return p.known == built && (best == nil || g.Compare(&p.bound, &best.best.Cost) < 0)
		})
		plans -= max(len(take), 1)
		if best == nil {
			s.planAll(ctx, take, func(p *proposal) error { return s.plan(ctx, p, effort) })
		} else {
			s.planAll(ctx, take, func(p *proposal) error { return s.beat(ctx, p, g, &best.best.Cost, effort) })
			s.vary(ctx, first(take, len(take), func(p *proposal) bool { return p.best == nil }), round)
		}
		if now := s.bestAt(g, g.Alias); now != best && !g.quick {
			s.expand(ctx, now)
		}
	}
	s.polish(ctx, g, round)
}

// planAll plans proposals and moves those with a plan out of the queue.
func (s *Search) planAll(ctx context.Context, list []*proposal, plan func(p *proposal) error) {
	s.each(ctx, list, plan)
	for _, p := range list {
		if p.best != nil && p.known < planned {
			p.known = planned
			if len(p.path.Stages) > 0 {
				s.gaps[p.alias] = append(s.gaps[p.alias], float64(p.best.Head)/float64(max(p.bound.Head, 1)))
			}
			s.leave(p)
			s.add(p)
			s.learn(p)
		}
	}
	s.forget()
}

// add adds a proposal with a plan to the pool, unless another one dominates it, and takes out those that
// it dominates.
func (s *Search) add(p *proposal) {
	over := func(p, q *proposal) bool { return level(p.alias) <= level(q.alias) && p.best.dominates(&q.best.Cost) }
	if !s.right(p.best) || slices.ContainsFunc(s.done, func(q *proposal) bool { return over(q, p) }) {
		return
	}
	s.done = append(slices.DeleteFunc(s.done, func(q *proposal) bool { return over(p, q) }), p)
}

// mostBytes is the approximate maximum size in bytes of the built models that a search keeps. Others are
// built anew when they are needed.
const mostBytes = 128 << 20

// forget drops built models, the least hopeful first, until they are not too large together.
func (s *Search) forget() {
	var bytes int64
	for _, list := range [][]*proposal{s.done, s.queue} {
		for _, p := range list {
			if p.model == nil || p.model == p.graph.model {
				continue
			}
			if bytes += int64(len(p.model.Data)); bytes > mostBytes {
				p.model, p.view = nil, nil
			}
		}
	}
}

// polish plans the best candidates of a goal with more work, and in a better order of their operators.
func (s *Search) polish(ctx context.Context, g *Goal, round int) {
	effort := s.rounds[round].polishing()
	plan := func(p *proposal) error { return s.plan(ctx, p, effort) }
	for i := 0; ctx.Err() == nil; i += s.planned {
		list := s.ranked(g)
		if i >= len(list) || i >= max(1, min(s.polished, s.sorted/max(list[i].best.Operators, 1))) {
			return
		}
		list = first(list[i:], s.planned, func(p *proposal) bool { return p.rounds <= round })
		s.each(ctx, list, plan)
		others := s.vary(ctx, list, round)
		s.planAll(ctx, others, plan)
		for _, p := range append(list, others...) {
			p.rounds = round + 1
			if p.best != nil {
				s.learn(p)
			}
		}
	}
}

// ranked returns the planned proposals at a goal's level, the best first.
func (s *Search) ranked(g *Goal) (list []*proposal) {
	for _, p := range s.done {
		if p.alias == g.Alias {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *proposal) int { return g.Compare(&a.best.Cost, &b.best.Cost) })
	return list
}

// first returns those of the first n proposals for which is returns true.
func first(list []*proposal, n int, is func(p *proposal) bool) (some []*proposal) {
	for _, p := range list[:min(n, len(list))] {
		if is(p) {
			some = append(some, p)
		}
	}
	return some
}

// hopeful returns the queued proposals at a goal's level that may be better than one, the most hopeful
// first: in turn by the cost that plans usually come to, and by the cost that a perfect plan comes to.
func (s *Search) hopeful(g *Goal, best *proposal) (list []*proposal) {
	for _, p := range s.queue {
		if p.alias == g.Alias && g.excessWork(&p.hope) == 0 && (best == nil || g.Compare(&p.hope, &best.best.Cost) < 0) {
			list = append(list, p)
		}
	}
	gap := s.gap(g.Alias)
	for _, p := range list {
		p.guess = p.likely
		p.guess.Head = max(int64(gap*float64(p.likely.Head)), p.limit)
		p.guess.Required += p.guess.Head - p.likely.Head
	}
	bold := slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *proposal) int { return g.Compare(&a.guess, &b.guess) })
	slices.SortStableFunc(bold, func(a, b *proposal) int { return g.Compare(&a.likely, &b.likely) })
	turns, seen := make([]*proposal, 0, len(list)), map[*proposal]bool{}
	for i := range list {
		for _, p := range []*proposal{list[i], bold[i]} {
			if !seen[p] {
				seen[p], turns = true, append(turns, p)
			}
		}
	}
	return turns
}

// gap returns the median of the heads of planned proposals at a level, as multiples of their lower
// bounds.
func (s *Search) gap(a rules.Alias) float64 {
	list := slices.Clone(s.gaps[a])
	if len(list) == 0 {
		return 1
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// bestAt returns the best planned proposal of a goal at a level, or nil.
func (s *Search) bestAt(g *Goal, a rules.Alias) (best *proposal) {
	for _, p := range s.done {
		if p.alias == a && (best == nil || g.Compare(&p.best.Cost, &best.best.Cost) < 0) {
			best = p
		}
	}
	return best
}

// right reports whether a candidate is as right as the original model.
func (s *Search) right(c *Candidate) bool { return !c.wrong || s.first.wrong }

// buildAll builds proposals and returns those that could be built.
func (s *Search) buildAll(ctx context.Context, list []*proposal) []*proposal {
	s.each(ctx, list, s.build)
	return slices.DeleteFunc(list, func(p *proposal) bool { return p.known < built })
}

// leave takes a proposal out of the queue.
func (s *Search) leave(p *proposal) {
	if i := slices.Index(s.queue, p); i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
	}
}

// each works on proposals concurrently, until ctx ends. Those that cannot be made leave the queue.
func (s *Search) each(ctx context.Context, list []*proposal, do func(p *proposal) error) {
	errs := make([]error, len(list))
	var wait workers.Group
	slots := make(chan bool, runtime.GOMAXPROCS(0))
	for i, p := range list {
		wait.Go(func() {
			slots <- true
			if deadline.Err(ctx) == nil {
				errs[i] = do(p)
			}
			<-slots
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			s.leave(list[i])
		}
	}
}

// expandBest expands the best candidate that was not expanded. It reports whether there was one among the
// best few.
func (s *Search) expandBest(ctx context.Context, g *Goal, few int) bool {
	list := s.ranked(g)
	for _, p := range list[:min(few, len(list))] {
		if !p.expanded {
			s.expand(ctx, p)
			return true
		}
	}
	return false
}
