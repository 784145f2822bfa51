package fit

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// leastHeads adds points with the smallest arenas found in searches for the levels' smallest
// heads, which budgets do not always lead to. It does so if the budget searches indicate such a
// point. These searches take as long as all others and come last.
func (s *surveyor) leastHeads(ctx context.Context) error {
	ctx, stop := undated(ctx, shareOf(s.parent, 1))
	defer stop()
	for i := range s.survey.Levels {
		if s.survey.Interrupted {
			return nil
		}
		if err := s.leastHead(ctx, i); err != nil {
			return err
		}
		s.survey.Interrupted = ctx.Err() != nil
	}
	return nil
}

// leastHead adds such a point to a level and those above it.
func (s *surveyor) leastHead(ctx context.Context, level int) error {
	l := &s.survey.Levels[level]
	sight := s.arenaOfLeast(l.Alias)
	if slices.ContainsFunc(l.Points, func(p Point) bool { return p.Required <= sight }) {
		return nil
	}
	c := &climber{surveyor: s, ctx: ctx, alias: l.Alias, notCut: l.NotCut}
	r, err := s.base.branch(l.Alias, 1).leastOf(ctx, s.own)
	if err != nil || r.Interrupted {
		l.Interrupted = true
		return err
	}
	arena := r.Rungs[0].Required
	for _, rung := range r.Rungs {
		arena = min(arena, rung.Required)
	}
	if slices.ContainsFunc(l.Points, func(p Point) bool { return p.Required <= arena }) {
		return nil
	}
	c.leastHead = r
	err = c.settle(arena)
	for k := level; k < len(s.survey.Levels); k++ {
		more := &s.survey.Levels[k]
		more.Points = worthwhile(append(slices.Clone(more.Points), c.points...))
	}
	l.Interrupted = ctx.Err() != nil
	return err
}

// arenaOfLeast is [arenaOfLeast] over all searches at an --alias level.
func (s *surveyor) arenaOfLeast(alias rules.Alias) int64 {
	var list []Estimate
	for key, f := range s.base.rounds {
		if key.alias == alias {
			list = append(list, f.report.Frontier...)
		}
	}
	return arenaOfLeast(&s.survey.Own, list)
}
