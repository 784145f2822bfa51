package pin

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime"
)

// maxGreedy is the maximum number of records for [greedy], which takes quadratic time. Plans of
// other tools, for which it is needed, have a few thousand tensors at most.
const maxGreedy = 1 << 16

// greedy is TensorFlow Lite Micro's planner step by step (GreedyMemoryPlanner of tflite-micro
// 90b983c2). Unlike the strategies of package alloc it accepts fixed records that share memory,
// as compilers for other processors write them.
func greedy(ctx context.Context, records []lifetime.Record) (offsets []int64, head int64, err error) {
	if len(records) > maxGreedy {
		return nil, 0, fmt.Errorf("the plan shares memory, and %d tensors are too many to follow that; the most is %d", len(records), maxGreedy)
	}
	offsets = make([]int64, len(records))
	var placed []int // by offset
	for _, i := range greedyOrder(records) {
		if err := deadline.Err(ctx); err != nil {
			return nil, 0, err
		}
		offsets[i] = records[i].Offset
		if !records[i].Pinned {
			offsets[i] = firstGap(records, offsets, placed, i)
		}
		at, _ := slices.BinarySearchFunc(placed, offsets[i], func(j int, offset int64) int {
			return cmp.Compare(offsets[j], offset)
		})
		placed = slices.Insert(placed, at, i)
		head = max(head, offsets[i]+records[i].Size)
	}
	return offsets, head, nil
}

// greedyOrder returns the fixed records in order, then the others, larger ones first and the
// later of equals first.
func greedyOrder(records []lifetime.Record) []int {
	order := make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := records[i], records[j]
		switch {
		case a.Pinned && b.Pinned:
			return cmp.Compare(i, j)
		case a.Pinned:
			return -1
		case b.Pinned:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(j, i))
	})
	return order
}

// firstGap returns the lowest offset at which record i overlaps no record live at the same
// time.
func firstGap(records []lifetime.Record, offsets []int64, placed []int, i int) int64 {
	var at int64
	for _, j := range placed {
		if !records[j].Overlaps(records[i]) {
			continue
		}
		if offsets[j]-at >= records[i].Size {
			break
		}
		at = max(at, offsets[j]+records[j].Size)
	}
	return at
}
