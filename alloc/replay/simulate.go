package replay

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay/pool"
)

// Simulate has a pool answer all requests of the trace and returns the most that it reserved, in
// bytes. What was there before the trace begins is requested first. It returns the pool's
// [pool.ErrNoMemory].
func (p *Profile) Simulate(simulated *pool.Pool) (peak int64, err error) {
	blocks := make([]*pool.Block, len(p.Lives))
	ends := p.byLast()
	for i := range p.Lives {
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
