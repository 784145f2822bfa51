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
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/models"
)

var limit = flag.Duration("limit", time.Minute, "how much CPU time benchmarks search for a minimum")

// cpuSeconds returns the CPU time of this process until now, user and system together:
// on a machine that others use, it says more than the clock.
func cpuSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Error(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / float64(time.Second)
}

// withCPU returns a context that ends when this process has used up so much more CPU
// time, about.
func withCPU(b *testing.B, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(b.Context())
	end := cpuSeconds(b) + limit.Seconds()
	tick := time.NewTicker(5 * time.Millisecond)
	go func() {
		defer tick.Stop()
		for cpuSeconds(b) < end {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}

// measure runs f for as long as the benchmark wants, and reports the CPU seconds of a
// run and the last plan's total over the load.
func measure(b *testing.B, records []lifetime.Record, f func() *alloc.Plan) {
	load := alloc.LowerBound(alloc.Offsets, records)
	start := cpuSeconds(b)
	var plan *alloc.Plan
	for b.Loop() {
		plan = f()
	}
	b.ReportMetric((cpuSeconds(b)-start)/float64(b.N), "cpu-s/op")
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

// BenchmarkMiniMalloc fits MiniMalloc's problems into the arena that they are posed
// with, and minimises those whose minimum is known.
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
		if _, ok := minimal[name]; !ok {
			continue
		}
		b.Run(name+"/minimise", func(b *testing.B) {
			measure(b, records, func() *alloc.Plan {
				return solve(b.Context(), b, records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact})
			})
		})
	}
}

// BenchmarkOpen minimises the two problems of MiniMalloc's whose minimum is not known,
// for -limit from a cold start, with several seeds. It reports when the total was down
// to what is asked of it, in CPU seconds from the start.
func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"D", "J"} {
		records := minimalloc(b, name)
		for seed := range uint64(5) {
			b.Run(fmt.Sprintf("%s/seed=%d", name, seed), func(b *testing.B) {
				reached := -1.0
				measure(b, records, func() *alloc.Plan {
					ctx, cancel := withCPU(b, *limit)
					defer cancel()
					start := cpuSeconds(b)
					return solve(ctx, b, records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact, Seed: seed, Progress: func(now alloc.Progress) {
						if now.Total <= open[name] && reached < 0 {
							reached = cpuSeconds(b) - start
						}
					}})
				})
				b.ReportMetric(reached, "goal-cpu-s")
			})
		}
	}
}

// BenchmarkIdealloc plans idealloc's problems as plan does by default.
func BenchmarkIdealloc(b *testing.B) {
	for _, name := range large {
		records := idealloc(b, name)
		b.Run(name, func(b *testing.B) {
			measure(b, records, func() *alloc.Plan {
				return solve(b.Context(), b, records, alloc.Options{Approach: alloc.Offsets})
			})
		})
	}
}

// BenchmarkPapers proves the smallest total of shared objects for the networks of
// Pisarchyk and Lee's table 1.
func BenchmarkPapers(b *testing.B) {
	for _, n := range models.List(models.Tables) {
		records, err := paperRecords(n.Name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(n.Name, func(b *testing.B) {
			var plan *alloc.Plan
			start := cpuSeconds(b)
			for b.Loop() {
				plan = solve(b.Context(), b, records, alloc.Options{Approach: alloc.Shared, Strategy: alloc.Exact})
			}
			b.ReportMetric((cpuSeconds(b)-start)/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(alloc.LowerBound(alloc.Shared, records)), "bound-B")
			b.ReportMetric(float64(plan.Total), "total-B")
			b.ReportMetric(float64(plan.Nodes), "nodes")
			b.ReportMetric(truth(plan.Optimal), "proven")
		})
	}
}

// drawn is the number of random problems of one kind and size.
const drawn = 5

// BenchmarkRandom counts the random problems that the exact strategies prove within a
// CPU second each.
func BenchmarkRandom(b *testing.B) {
	for _, kind := range []struct {
		name string
		draw func(*rand.Rand, int) []lifetime.Record
	}{{"network", network.Records}, {"short", drawShort}, {"long", drawLong}, {"cut", drawCut}} {
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
		ctx, cancel := withCPU(b, time.Second)
		plan := solve(ctx, b, records, alloc.Options{Approach: approach, Strategy: alloc.Exact})
		cancel()
		ratio := float64(plan.Total) / float64(plan.LowerBound)
		proven += truth(plan.Optimal)
		sum, worst = sum+ratio, max(worst, ratio)
	}
	b.ReportMetric((cpuSeconds(b)-start)/drawn, "cpu-s/problem")
	b.ReportMetric(proven/drawn, "proven")
	b.ReportMetric(sum/drawn, "total/bound")
	b.ReportMetric(worst, "worst")
}

// drawShort returns n records that live for up to twenty positions.
func drawShort(random *rand.Rand, n int) []lifetime.Record { return drawUniform(random, n, 20) }

// drawLong returns n records that live for up to a quarter of the run.
func drawLong(random *rand.Rand, n int) []lifetime.Record { return drawUniform(random, n, n/4) }

// drawUniform returns n records with a first position below n, a life of up to so many
// positions and a size of up to a thousand bytes, all equally likely.
func drawUniform(random *rand.Rand, n, life int) []lifetime.Record {
	records := make([]lifetime.Record, n)
	for i := range records {
		first := random.IntN(n)
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: first, Last: first + random.IntN(life), Size: 1 + random.Int64N(1000)}
	}
	return records
}

// drawCut returns n records that fill an arena of 2^20 bytes at every one of n
// positions without a hole: a rectangle, cut into n pieces at random. So the smallest
// arena is the load, and hard to find.
func drawCut(random *rand.Rand, n int) []lifetime.Record {
	records := []lifetime.Record{{ID: "0", Last: n - 1, Size: 1 << 20}}
	for len(records) < n {
		r := &records[random.IntN(len(records))]
		rest := *r
		rest.ID = fmt.Sprint(len(records))
		switch width := r.Last - r.First; {
		case random.IntN(2) == 0 && width > 0:
			r.Last = r.First + random.IntN(width)
			rest.First = r.Last + 1
		case r.Size > 1024:
			r.Size = 1024 * (1 + random.Int64N(r.Size/1024-1))
			rest.Size -= r.Size
		default:
			continue
		}
		records = append(records, rest)
	}
	return records
}
