package shrink

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// auto is [Search.fit] for budgets at the first level that meets them, or else at all levels of the goal. If ctx has a deadline, a
// level below the highest gets a part of the remaining time.
func (s *Search) auto(ctx context.Context, g *Goal) (*Report, error) {
	s.bound(g)
	if err := s.untiled(ctx, g.Alias.UpTo()); err != nil {
		return nil, err
	}
	at := *g
	var err error
	s.levels(ctx, g, manyTimes, func(a rules.Alias) bool {
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
		return nil, err
	}
	return s.finish(ctx, &at)
}
