package problem

import "github.com/tflarena/tflarena/alloc/internal/sets"

// Urgencies returns each record's urgency: the largest sum of sizes, in bytes, of records alive at one
// position of its lifetime.
func Urgencies(records Records) []int64 {
	time := NewTimeline(records)
	negative := Loads(records, time) // the minimum of negative loads is the maximum
	for p := range negative {
		negative[p] = -negative[p]
	}
	least := sets.NewMinTree[int64](time.Count, 0)
	least.Fill(negative)
	urgent := make([]int64, len(records))
	for i := range records {
		urgent[i] = -least.Least(time.First[i], time.Last[i])
	}
	return urgent
}

// Loads returns the bytes alive at each position of time.
func Loads(records Records, time Timeline) []int64 {
	load := make([]int64, time.Count+1)
	for i, r := range records {
		load[time.First[i]] += r.Size
		load[time.Last[i]+1] -= r.Size
	}
	for p := 1; p < len(load); p++ {
		load[p] += load[p-1]
	}
	return load[:time.Count]
}
