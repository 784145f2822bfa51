package late

import (
	"context"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// FuzzSolve makes a problem of any bytes, five for each record, and wants a plan in waves that takes
// no more than the allocator at run time.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{0, 1, 100, 0, 0, 1, 1, 60, 0, 0, 2, 1, 110, 0, 1})
	f.Add([]byte{0, 9, 30, 8, 8, 0, 1, 10, 4, 1, 25, 15, 20, 3, 1, 1, 0, 255, 0, 16, 1, 1, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var records []lifetime.Record
		var knownAt []int
		for ; len(data) >= 5 && len(records) < 40; data = data[5:] {
			first := int(int8(data[0]))
			r := lifetime.Record{First: first, Last: first + int(data[1])%16, Size: int64(data[2]), Align: int64(data[3] % 9)}
			at := FromStart
			if data[4] > 0 {
				at = first + 1 - int(data[4])
			}
			records, knownAt = append(records, r), append(knownAt, at)
		}
		for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
			got, err := Solve(context.Background(), records, knownAt, alloc.Options{Approach: approach, Strategy: alloc.GreedyBySize})
			if err != nil {
				t.Fatal(err)
			}
			if got.Plan.Total > got.RunTime || got.Cautious > got.RunTime || got.Plan.Total < got.Plan.LowerBound {
				t.Fatalf("%s: %d bytes in waves, %d in cautious ones, %d at run time, a bound of %d", approach, got.Plan.Total, got.Cautious, got.RunTime, got.Plan.LowerBound)
			}
		}
	})
}
