package alloc

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// byUrgency is the placement from which Vela's hill climb starts: the records whose
// life meets the largest load first, each at the lowest free offset.
func byUrgency(ctx context.Context, p *task) (*Plan, error) {
	return place(ctx, p.records, urgencyOrder(p.records), firstFit, problem.CommonAlignment(p.records))
}

// urgencyOrder returns larger urgencies first; of equal ones the longer-lived, then
// the earlier, then the larger, then by row (Vela, hillclimb_allocation.py).
func urgencyOrder(records Records) []int {
	urgent := problem.Urgencies(records)
	return problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(urgent[j], urgent[i]), cmp.Compare(problem.Length(records[j]), problem.Length(records[i])),
			cmp.Compare(records[i].First, records[j].First), cmp.Compare(records[j].Size, records[i].Size))
	})
}
