package alloc

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// tvmConflicts is greedy by conflicts of TVM's USMP: the record that shares its life
// with the most others first, equal ones larger first, then by row where USMP goes
// by name; each above all of those that are placed, in no gap between them. USMP
// rounds an end up to the alignment of the tensor below; here a start has its own.
func tvmConflicts(ctx context.Context, p *problem) (*Plan, error) {
	shared := conflicts(p.records)
	order := orderBy(p.records, func(i, j int) int {
		return cmp.Or(cmp.Compare(shared[j], shared[i]), cmp.Compare(p.records[j].Size, p.records[i].Size))
	})
	return place(ctx, p.records, order, above, commonAlignment(p.records))
}

// above chooses the end of everything that is taken.
func above(taken []span, _, align int64) int64 {
	if len(taken) == 0 {
		return 0
	}
	return roundUp(taken[len(taken)-1].hi, align)
}

// conflicts returns with how many others each record is alive: those that begin
// before it ends, but for those that end before it begins.
func conflicts(records Records) []int {
	firsts, lasts := make([]int, len(records)), make([]int, len(records))
	for i, r := range records {
		firsts[i], lasts[i] = r.First, r.Last
	}
	slices.Sort(firsts)
	slices.Sort(lasts)
	shared := make([]int, len(records))
	for i, r := range records {
		begun, _ := slices.BinarySearch(firsts, r.Last+1)
		over, _ := slices.BinarySearch(lasts, r.First)
		shared[i] = begun - over - 1
	}
	return shared
}

// length returns how long r is alive, less one; as uint64 that is right for any
// interval, even where an int overflows.
func length(r lifetime.Record) uint64 { return uint64(r.Last) - uint64(r.First) }
