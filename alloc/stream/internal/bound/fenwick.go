package bound

import (
	"math/bits"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A fenwick is a Fenwick tree of items by rank, for the fractional knapsack problem.
type fenwick struct {
	bytes []int64
	time  []time.Duration
	items []item // by rank
}

func newFenwick(n int) *fenwick {
	return &fenwick{bytes: make([]int64, n+1), time: make([]time.Duration, n+1), items: make([]item, n)}
}

func (f *fenwick) add(it item) {
	f.items[it.rank] = it
	for k := it.rank + 1; k < len(f.bytes); k += k & -k {
		f.bytes[k] += it.bytes
		f.time[k] += it.time
	}
}

// most returns the most loading time of added items that room bytes can hold, if an item may be held
// in part.
func (f *fenwick) most(room int64) time.Duration {
	if room < 0 {
		return 0
	}
	var time time.Duration
	k := 0
	for step := 1 << (bits.Len(uint(len(f.bytes))) - 1); step > 0; step /= 2 {
		if next := k + step; next < len(f.bytes) && f.bytes[next] <= room {
			k = next
			room -= f.bytes[next]
			time += f.time[next]
		}
	}
	if k < len(f.items) && f.items[k].bytes > 0 {
		time += network.Share(f.items[k].time, room, f.items[k].bytes)
	}
	return time
}

func (f *fenwick) clone() *fenwick {
	return &fenwick{bytes: slices.Clone(f.bytes), time: slices.Clone(f.time), items: slices.Clone(f.items)}
}
