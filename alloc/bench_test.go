package alloc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/lifetime"
)

// network returns n records like those of a deep network: operator i makes record i.
// Most tensors are read by the next operator, some by one a few further on, one in
// fifty by a far one (a long skip connection); sizes come from a few channel counts
// and resolutions and so repeat a lot.
func network(n int) Records {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	records := make(Records, n)
	for i := range records {
		length := 1
		switch k := random.IntN(50); {
		case k == 0:
			length = 20 + random.IntN(400)
		case k < 8:
			length = 2 + random.IntN(8)
		}
		side, channels := int64(7)<<random.IntN(5), int64(16+8*random.IntN(30))
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: i, Last: i + length, Size: side * side * channels}
	}
	return records
}

func BenchmarkSolve(b *testing.B) {
	for _, approach := range []Approach{Offsets, Shared} {
		for _, s := range Strategies(approach) {
			for n := 100; n <= 1_000_000; n *= 10 {
				if s.MaxRecords > 0 && n > s.MaxRecords {
					continue
				}
				b.Run(fmt.Sprintf("%s/%s/n=%d", approach, s.Name, n), func(b *testing.B) {
					records := network(n)
					var plan *Plan
					for b.Loop() {
						var err error
						if plan, err = Solve(context.Background(), records, Options{Approach: approach, Strategy: s.Name}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(plan.Total)/float64(plan.LowerBound), "total/bound")
				})
			}
		}
	}
}
