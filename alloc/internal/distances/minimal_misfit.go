package distances

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// How long, at most, records that do not fit are made fewer, and the nodes of each try.
const (
	blameTime  = 2 * time.Second
	blameNodes = 2000
)

// blame returns few of the rows, which do not fit into a capacity, that do not fit by
// themselves: it leaves rows out for as long as a short search refuses the rest, first halves
// and then ever smaller parts.
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
