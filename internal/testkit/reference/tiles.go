package reference

import (
	"sort"

	"github.com/tflarena/tflarena/lifetime"
)

// tileOrders are the three orders of Kvochko et al. 2024, section III.A, equal ones in row order.
func tileOrders(records []lifetime.Record) [][]int {
	meet := func(i int) int {
		count := 0
		for j := range records {
			if i != j && records[i].Overlaps(records[j]) {
				count++
			}
		}
		return count
	}
	n := len(records)
	return [][]int{
		sorted(n, func(i, j int) bool { return records[i].Size > records[j].Size }),
		sorted(n, func(i, j int) bool {
			return uint64(records[i].Last)-uint64(records[i].First) > uint64(records[j].Last)-uint64(records[j].First)
		}),
		sorted(n, func(i, j int) bool { return meet(i) > meet(j) }),
	}
}

// tilesPrinted is Algorithm 1 with the size that Algorithm 2 returns, for tensors of one tile of one
// chunk: the end of the tensor that moves less the start of the first one it meets, of those that begin
// earliest.
func tilesPrinted(records []lifetime.Record) []int64 {
	var best []int64
	for _, order := range tileOrders(records) {
		offsets := place(records, order, func(near []int, offsets []int64, i int) int64 {
			sort.SliceStable(near, func(a, b int) bool {
				r, s := records[near[a]], records[near[b]]
				return r.First < s.First || r.First == s.First && near[a] < near[b]
			})
			var at int64
			for k := 0; k < len(near); k++ {
				j := near[k]
				if at < offsets[j]+records[j].Size && offsets[j] < at+records[i].Size {
					at = roundUp(at+at+records[i].Size-offsets[j], records[i].Alignment())
					k = -1
				}
			}
			return at
		})
		if best == nil || Total(records, offsets) < Total(records, best) {
			best = offsets
		}
	}
	return best
}
