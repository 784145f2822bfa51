//go:build unix

package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

var limit = flag.Duration("limit", time.Minute, "how long benchmarks search for a minimum")

// cpuSeconds returns the CPU time of this process until now, user and system together:
// on a machine that others use, it says more than the clock.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / float64(time.Second)
}

// measure runs f for as long as the benchmark wants, and reports the CPU seconds of a
// run and the last plan's total over the load.
func measure(b *testing.B, records []lifetime.Record, f func() *alloc.Plan) {
	load := alloc.LowerBound(alloc.Offsets, records)
	runs := 0
	start := cpuSeconds(b)
	var plan *alloc.Plan
	for b.Loop() {
		plan = f()
		runs++
	}
	b.ReportMetric((cpuSeconds(b)-start)/float64(runs), "cpu-s/op")
	b.ReportMetric(float64(plan.Total), "total-B")
	b.ReportMetric(float64(plan.Total)/float64(load), "total/load")
	b.ReportMetric(truth(plan.Optimal), "proven")
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// minimise runs the exact strategy for offsets until it has a proof, or for -limit.
func minimise(b *testing.B, records []lifetime.Record) *alloc.Plan {
	ctx, cancel := context.WithTimeout(b.Context(), *limit)
	defer cancel()
	return solve(ctx, b, records, alloc.Options{Approach: alloc.Offsets, Strategy: "exact"})
}

// BenchmarkMiniMalloc fits MiniMalloc's problems into the arena that they are posed
// with, and minimises them.
func BenchmarkMiniMalloc(b *testing.B) {
	for _, name := range names {
		records := minimalloc(b, name)
		b.Run(name+"/fit", func(b *testing.B) {
			measure(b, records, func() *alloc.Plan {
				v, err := alloc.Fit(b.Context(), records, capacity, alloc.Options{})
				if err != nil || v.Answer != alloc.Fits {
					b.Fatal(v, err)
				}
				return v.Plan
			})
		})
		b.Run(name+"/minimise", func(b *testing.B) {
			measure(b, records, func() *alloc.Plan { return minimise(b, records) })
		})
	}
}

// BenchmarkIdealloc plans idealloc's problems as plan does by default.
func BenchmarkIdealloc(b *testing.B) {
	for _, p := range large {
		records := idealloc(b, p.name)
		b.Run(p.name, func(b *testing.B) {
			measure(b, records, func() *alloc.Plan {
				return solve(b.Context(), b, records, alloc.Options{Approach: alloc.Offsets})
			})
		})
	}
}

// drawn is the number of random problems of one kind and size.
const drawn = 5

// BenchmarkRandom counts the random problems that the exact strategies prove within a
// second each.
func BenchmarkRandom(b *testing.B) {
	for _, kind := range []struct {
		name string
		draw func(*rand.Rand, int) []lifetime.Record
	}{{"network", drawNetwork}, {"uniform", drawUniform}} {
		for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
			for _, n := range []int{200, 400, 1000} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", kind.name, approach, n), func(b *testing.B) {
					for b.Loop() {
						countProven(b, approach, n, kind.draw)
					}
				})
			}
		}
	}
}

// countProven reports how many of the drawn problems are proven, the mean and the
// largest of total over bound, and the CPU seconds of one.
func countProven(b *testing.B, approach alloc.Approach, n int, draw func(*rand.Rand, int) []lifetime.Record) {
	var proven, sum, worst float64
	start := cpuSeconds(b)
	for seed := range uint64(drawn) {
		records := draw(rand.New(rand.NewPCG(seed, uint64(n))), n)
		plan := solve(b.Context(), b, records, alloc.Options{Approach: approach, Strategy: "exact", SearchTime: time.Second})
		ratio := float64(plan.Total) / float64(plan.LowerBound)
		proven += truth(plan.Optimal)
		sum, worst = sum+ratio, max(worst, ratio)
	}
	b.ReportMetric((cpuSeconds(b)-start)/drawn, "cpu-s/problem")
	b.ReportMetric(proven/drawn, "proven")
	b.ReportMetric(sum/drawn, "total/bound")
	b.ReportMetric(worst, "worst")
}

// drawNetwork returns n records like those of a deep network: operator i makes record
// i, most are read by the next operator, some a few further on, one in fifty far on;
// sizes come from a few channel counts and resolutions and so repeat a lot.
func drawNetwork(random *rand.Rand, n int) []lifetime.Record {
	records := make([]lifetime.Record, n)
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

// drawUniform returns n records with a first position below n, a life of up to twenty
// positions and a size of up to a thousand bytes, all equally likely.
func drawUniform(random *rand.Rand, n int) []lifetime.Record {
	records := make([]lifetime.Record, n)
	for i := range records {
		first := random.IntN(n)
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: first, Last: first + random.IntN(20), Size: 1 + random.Int64N(1000)}
	}
	return records
}
