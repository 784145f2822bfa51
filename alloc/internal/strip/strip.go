package strip

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// Pack is the best-fit heuristic of Sekiyama et al. 2018, section 3.2: take the lowest line of the
// skyline, the leftmost of equal ones; place on it the longest-lived waiting tensor that is alive
// within the line's time only, of equal ones the larger, then the earlier by first position and row. If
// none fits, lift the line to its lowest neighbour. Neighbours of equal height are one line.
//
// Alignments and pins are ours: a tensor starts at the first aligned byte above its line and must clear
// the pinned ones. When the lowest line reaches the offset of a pinned tensor, all lines below its end
// rise to that end.
func Pack(ctx context.Context, records problem.Records) ([]int64, error) {
	return packAlong(ctx, records, longestFirst(records))
}

// PackByRow is Pack with records of equal life in row order.
func PackByRow(ctx context.Context, records problem.Records) ([]int64, error) {
	return packAlong(ctx, records, problem.OrderBy(records, func(i, j int) int {
		return cmp.Compare(problem.Length(records[j]), problem.Length(records[i]))
	}))
}

func longestFirst(records problem.Records) []int {
	return problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(problem.Length(records[j]), problem.Length(records[i])), cmp.Compare(records[j].Size, records[i].Size),
			cmp.Compare(records[i].First, records[j].First))
	})
}
