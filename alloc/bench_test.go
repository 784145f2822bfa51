package alloc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	drawn "github.com/tflarena/tflarena/internal/testkit/network"
)

// network returns n records like those of a deep network, the same each time.
func network(n int) Records { return drawn.Records(rand.New(rand.NewPCG(1, uint64(n))), n) }

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
