package distances

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// Time limit for reducing records that do not fit, and the node limit of each try.
const (
	coreTime  = 2 * time.Second
	coreNodes = 2000
)

// misfitCore returns a small set of rows that do not fit into a capacity by themselves: it drops rows as
// long as a short search refutes the rest, first halves and then ever smaller parts.
func (s *search) misfitCore(rows []int, capacity int64) []int {
	ctx, cancel := context.WithTimeout(s.ctx, coreTime)
	defer cancel()
	misfit := func(rows []int) bool {
		return len(rows) <= disjunctive.MaxRecords && ctx.Err() == nil && s.sub(rows).Fit(ctx, capacity, coreNodes).Answer == problem.Misfit
	}
	if few := s.window(rows, capacity, coreNodes); few != nil {
		rows = few
	}
	if !misfit(rows) {
		return rows
	}
	return problem.Shrink(ctx, rows, misfit)
}
