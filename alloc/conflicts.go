package alloc

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// tvmConflicts is greedy by conflicts of TVM's USMP: the record that shares its life
// with the most others first, equal ones larger first, then by row where USMP goes
// by name; each above all of those that are placed, in no gap between them. USMP
// rounds an end up to the alignment of the tensor below; here a start has its own.
func tvmConflicts(ctx context.Context, p *task) (*Plan, error) {
	shared := problem.Conflicts(p.records)
	order := problem.OrderBy(p.records, func(i, j int) int {
		return cmp.Or(cmp.Compare(shared[j], shared[i]), cmp.Compare(p.records[j].Size, p.records[i].Size))
	})
	return place(ctx, p.records, order, above, problem.CommonAlignment(p.records))
}

// above chooses the end of everything that is taken.
func above(taken []sets.Span, _, align int64) int64 {
	if len(taken) == 0 {
		return 0
	}
	return problem.RoundUp(taken[len(taken)-1].Hi, align)
}
