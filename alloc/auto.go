package alloc

import (
	"context"
	"errors"
)

// solveAuto runs every other strategy of the approach in registry order and keeps
// the best plan, the first of equals. It stops when a plan is proven optimal, and
// passes over strategies that accept fewer records.
func solveAuto(ctx context.Context, p *problem) (*Plan, error) {
	var best *Plan
	tried := 0
	for _, s := range Strategies(p.opt.Approach) {
		if s.Name == Auto {
			continue
		}
		plan, err := p.quietly().run(ctx, s)
		if tooMany := (*TooManyRecordsError)(nil); errors.As(err, &tooMany) {
			continue
		}
		if err != nil && best != nil && ctx.Err() != nil {
			best.Interrupted = true
			break
		}
		if err != nil {
			return nil, err
		}
		tried++
		if best == nil || plan.Total < best.Total {
			best = plan
			p.report(best)
		}
		if best.Optimal {
			break
		}
	}
	best.Tried = tried
	return best, nil
}

// quietly returns p without its progress function: a strategy within auto must not
// report a plan that is no better than the last.
func (p *problem) quietly() *problem {
	quiet := *p
	quiet.opt.Progress = nil
	return &quiet
}
