package distances

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// Time limit for reducing records that do not fit, and the node limit of each try.
const (
	blameTime  = 2 * time.Second
	blameNodes = 2000
)

// blame returns a small set of rows that do not fit into a capacity by themselves: it drops rows as
// long as a short search refutes the rest, first halves and then ever smaller parts.
func (s *search) blame(rows []int, capacity int64) []int {
	ctx, cancel := context.WithTimeout(s.ctx, blameTime)
	defer cancel()
	misfit := func(rows []int) bool {
		return len(rows) <= disjunctive.MaxRecords && ctx.Err() == nil && s.sub(rows).Fit(ctx, capacity, blameNodes).Answer == problem.Misfit
	}
	if few := s.window(rows, capacity, blameNodes); few != nil {
		rows = few
	}
	if !misfit(rows) {
		return rows
	}
	return problem.Shrink(ctx, rows, misfit)
}
