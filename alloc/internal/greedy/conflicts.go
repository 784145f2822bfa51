package greedy

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
)

// ByConflicts is greedy by conflicts of TVM's USMP: the record that is alive together with the most
// others first, equal ones larger first, then by row where USMP uses the name; each above all placed
// records, in no gap between them. USMP rounds an end up to the alignment of the tensor below; here a
// start has its own.
func ByConflicts(ctx context.Context, records problem.Records) ([]int64, error) {
	shared := problem.Conflicts(records)
	order := problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(shared[j], shared[i]), cmp.Compare(records[j].Size, records[i].Size))
	})
	return place(ctx, records, order, above, problem.CommonAlignment(records))
}

// above chooses the end of all taken spans.
func above(taken []sets.Span, _, align int64) int64 {
	if len(taken) == 0 {
		return 0
	}
	return integer.RoundUp(taken[len(taken)-1].Hi, align)
}
