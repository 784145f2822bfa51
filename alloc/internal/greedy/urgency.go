package greedy

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// ByUrgency is the initial placement of Vela's hill climb: the records alive at the largest load first,
// each at the lowest free offset.
func ByUrgency(ctx context.Context, records problem.Records) ([]int64, error) {
	return place(ctx, records, urgencyOrder(records), firstFit, problem.CommonAlignment(records))
}

// urgencyOrder returns larger urgencies first; of equal ones the longer-lived, then the earlier, then
// the larger, then by row (Vela, hillclimb_allocation.py).
func urgencyOrder(records problem.Records) []int {
	urgent := problem.Urgencies(records)
	return problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(urgent[j], urgent[i]), cmp.Compare(problem.Length(records[j]), problem.Length(records[i])),
			cmp.Compare(records[i].First, records[j].First), cmp.Compare(records[j].Size, records[i].Size))
	})
}
