package replay

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/deadline"
)

// eventsPerPoll is the number of events between two checks of a context.
const eventsPerPoll = 1 << 10

// Simulate replays the trace with a pool and returns the peak of its reserved memory, in bytes. Blocks
// requested before the trace are requested first. Errors are [pool.ErrNoMemory] and ctx.Err().
func (p *Profile) Simulate(ctx context.Context, simulated *pool.Pool) (peak int64, err error) {
	blocks := make([]*pool.Block, len(p.Lives))
	ends := p.byLast()
	for i := range p.Lives {
		if i%eventsPerPoll == 0 {
			if err := deadline.Err(ctx); err != nil {
				return 0, err
			}
		}
		l := &p.Lives[i]
		for !l.Early && len(ends) > 0 && p.Lives[ends[0]].Last < l.First {
			if err := simulated.Release(blocks[ends[0]]); err != nil {
				return 0, fmt.Errorf("fault in tflarena, please report it: %w", err)
			}
			ends = ends[1:]
		}
		if blocks[i], err = simulated.Request(int(l.Lane), l.Size); err != nil {
			return 0, err
		}
	}
	return simulated.Peak(), nil
}
