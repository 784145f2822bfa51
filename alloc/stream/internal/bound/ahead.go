package bound

import (
	"cmp"

	"golang.org/x/exp/slices"
)

// laterLoads bounds the loading time of later layers that some room can hold.
type laterLoads struct {
	// bytes are the sizes of the weights of later layers, ascending, and sums the prefix sums of their
	// times.
	bytes, sums []int64
	held        *fenwick
}

// most returns an upper bound of the loading time of whole tensors of later layers that fit into room
// bytes, in 1/[unitsPerNanosecond] nanoseconds.
func (l *laterLoads) most(room int64) int64 {
	if room < 0 {
		return 0
	}
	k, _ := slices.BinarySearch(l.bytes, room+1)
	if k == 0 {
		return 0
	}
	return min(l.sums[k-1], int64(l.held.most(room))*unitsPerNanosecond)
}

// aheads returns for each layer what its compute can prefetch.
func (b *bounder) aheads() []laterLoads {
	list := make([]laterLoads, len(b.live))
	var tensors []tensor
	held := newFenwick(len(b.items))
	for v := len(list) - 1; v >= 0; v-- {
		slices.SortStableFunc(tensors, func(x, y tensor) int { return cmp.Compare(x.bytes, y.bytes) })
		l := laterLoads{held: held.clone()}
		var sum int64
		for _, t := range tensors {
			sum += t.time
			l.bytes, l.sums = append(l.bytes, t.bytes), append(l.sums, sum)
		}
		list[v] = l
		tensors = append(tensors, b.tensors[v]...)
		held.add(b.items[v])
	}
	return list
}
