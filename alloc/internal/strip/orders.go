package strip

import (
	"cmp"
	"context"
	"math/bits"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
)

// ordersWork is the limit of placements of Orders in all, except for its first order: about the seconds
// of one order of a million records.
const ordersWork = 1_000_000

// Orders packs as strip-packing does with each of a few other orders of trying tensors on the lowest
// line, and keeps the lowest plan, the first of equal ones. It stops at the lower bound and, after the
// first order, at the limit of placements.
func Orders(ctx context.Context, records problem.Records, bound int64) (*problem.Placement, error) {
	plan, _, err := bestOrder(ctx, records, bound)
	return plan, err
}

// bestOrder returns the plan of Orders, with its total, and the order.
func bestOrder(ctx context.Context, records problem.Records, bound int64) (*problem.Placement, []int, error) {
	var best *problem.Placement
	var order []int
	work := 0
	for _, by := range orderings(records) {
		if work += len(records); best != nil && work > ordersWork {
			break
		}
		if best != nil && deadline.Err(ctx) != nil {
			best.Interrupted = true
			break
		}
		with := problem.OrderBy(records, by)
		offsets, err := packAlong(ctx, records, with)
		if err != nil && best != nil {
			best.Interrupted = true
			break
		}
		if err != nil {
			return nil, nil, err
		}
		plan := &problem.Placement{Offsets: offsets, Total: problem.TotalOf(records, offsets)}
		if best == nil || plan.Total < best.Total {
			best, order = plan, with
		}
		if best.Total <= bound {
			break
		}
	}
	return best, order, nil
}

// orderings returns the comparisons of Orders, each followed by row order: by urgency, from the left,
// from the right, each of them the longer-lived first; from the left and from the right, the larger
// first; by conflicts; by area. They are those that won somewhere on the public problems of MiniMalloc
// and idealloc.
func orderings(records problem.Records) []func(i, j int) int {
	urgent, shared := problem.Urgencies(records), problem.Conflicts(records)
	longer := func(i, j int) int { return cmp.Compare(problem.Length(records[j]), problem.Length(records[i])) }
	larger := func(i, j int) int { return cmp.Compare(records[j].Size, records[i].Size) }
	left := func(i, j int) int { return cmp.Compare(records[i].First, records[j].First) }
	right := func(i, j int) int { return cmp.Compare(records[j].Last, records[i].Last) }
	return []func(i, j int) int{
		func(i, j int) int { return cmp.Or(cmp.Compare(urgent[j], urgent[i]), longer(i, j), larger(i, j)) },
		func(i, j int) int { return cmp.Or(left(i, j), longer(i, j), larger(i, j)) },
		func(i, j int) int { return cmp.Or(right(i, j), longer(i, j), larger(i, j)) },
		func(i, j int) int { return cmp.Or(left(i, j), larger(i, j)) },
		func(i, j int) int { return cmp.Or(right(i, j), larger(i, j)) },
		func(i, j int) int { return cmp.Or(cmp.Compare(shared[j], shared[i]), longer(i, j), larger(i, j)) },
		func(i, j int) int { return compareAreas(records[j], records[i]) },
	}
}

// compareAreas compares size times time alive; 128 bits hold any.
func compareAreas(r, s lifetime.Record) int {
	area := func(r lifetime.Record) (hi, lo uint64) {
		hi, lo = bits.Mul64(problem.Length(r), uint64(r.Size))
		lo, carry := bits.Add64(lo, uint64(r.Size), 0)
		return hi + carry, lo
	}
	rHi, rLo := area(r)
	sHi, sLo := area(s)
	return cmp.Or(cmp.Compare(rHi, sHi), cmp.Compare(rLo, sLo))
}

func anyPinned(records problem.Records) bool {
	return slices.ContainsFunc(records, func(r lifetime.Record) bool { return r.Pinned })
}
