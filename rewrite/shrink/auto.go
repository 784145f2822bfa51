package shrink

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Auto is [Fit] at the best level of in-place outputs up to the goal's, which it returns too. With
// budgets, that is the first level that meets them, since it is valid for the most kernels, or else the
// one that comes closest. Without budgets, it is the one with the smallest required arena.
//
// If ctx has a deadline, a level below the highest gets a part of the remaining time.
func Auto(ctx context.Context, m *tflite.Model, g Goal) (*Report, rules.Alias, error) {
	s, err := newSearch(ctx, m, &g)
	if err != nil {
		return nil, "", err
	}
	if !g.bounded() || s.stays() {
		g.LeastHead = false
		r, err := s.fit(ctx, &g)
		return r, s.aliasOf(&g), err
	}
	s.bound(&g)
	if err := s.untiled(ctx, g.Alias.UpTo()); err != nil {
		return nil, "", err
	}
	at := g
	s.levels(ctx, &g, manyTimes, func(a rules.Alias) bool {
		at.Alias = a
		b, _ := s.best(&at)
		if !at.met(&b.Cost) && ctx.Err() == nil {
			within, stop := deadline.Share(ctx, manyTimes)
			err = s.otherwise(within, &at)
			if stop(); err != nil {
				return true
			}
			b, _ = s.best(&at)
		}
		return at.met(&b.Cost)
	})
	if err != nil {
		return nil, "", err
	}
	r, err := s.finish(ctx, &at)
	return r, s.aliasOf(&at), err
}

// aliasOf returns the level of the best candidate for a goal.
func (s *Search) aliasOf(g *Goal) rules.Alias {
	best, _ := s.best(g)
	return best.Alias
}
