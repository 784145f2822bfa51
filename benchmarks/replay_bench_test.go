package benchmarks

import (
	"fmt"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/chainer"
	"github.com/tflarena/tflarena/alloc/replay/pool"
)

// replayed calls f with every network of the paper, in inference and in training as in its figure 4.
func replayed(b *testing.B, f func(b *testing.B, p *replay.Profile)) {
	for _, n := range chainer.Networks() {
		for _, training := range []bool{false, true} {
			o := chainer.Options{Batch: 1, Batches: 1, Training: training}
			words := 100
			if training {
				o.Batch, words = 32, 50
			}
			if n.Translator {
				o.LeastWords, o.MostWords = words, words
			}
			name := n.Name + "/inference"
			if training {
				name = n.Name + "/training"
			}
			b.Run(name, func(b *testing.B) { f(b, profiled(b, n, o)) })
		}
	}
}

// BenchmarkReplayPlan measures planning: the paper's heuristic, and the default with its proof.
func BenchmarkReplayPlan(b *testing.B) {
	for _, strategy := range []string{"strip-packing", alloc.Auto} {
		b.Run(strategy, func(b *testing.B) {
			replayed(b, func(b *testing.B, p *replay.Profile) {
				for b.Loop() {
					plan, err := p.Plan(b.Context(), replay.Options{Solve: alloc.Options{Strategy: strategy}})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(plan.Total), "B")
				}
			})
		})
	}
}

// BenchmarkReplayRequest measures a request and its release: by a plan, and by the simulated pools, which
// have seen the mini-batch before.
func BenchmarkReplayRequest(b *testing.B) {
	replayed(b, func(b *testing.B, p *replay.Profile) {
		a := replay.NewAllocator(pool.NewChainer(0), p.Granule, alloc.Options{Quick: true, SearchTime: time.Second})
		if err := a.Begin(b.Context()); err != nil {
			b.Fatal(err)
		}
		measureRequests(b, "plan", p, requests[replay.Place]{a.Alloc, a.Free, func() error { return a.Begin(b.Context()) }})
		if plans := a.Stats().Plans; plans != 1 {
			b.Fatalf("%d plans, want one", plans)
		}
		for _, simulated := range []struct {
			name string
			pool *pool.Pool
		}{{"chainer", pool.NewChainer(0)}, {"pytorch", pool.NewCaching(false, 0)}} {
			measureRequests(b, simulated.name, p, requests[*pool.Block]{
				func(size int64) (*pool.Block, error) { return simulated.pool.Request(0, size) }, simulated.pool.Release, func() error { return nil },
			})
		}
	})
}

// requests are the calls of an allocator, whose blocks are of type B. end ends a mini-batch.
type requests[B any] struct {
	alloc func(size int64) (B, error)
	free  func(block B) error
	end   func() error
}

// measureRequests serves a mini-batch once, and then again and again.
func measureRequests[B any](b *testing.B, name string, p *replay.Profile, r requests[B]) {
	blocks := make([]B, len(p.Device.Events)+1) // by number
	serve := func() (err error) {
		for i := range p.Device.Events {
			switch e := &p.Device.Events[i]; e.Kind {
			case replay.Alloc:
				blocks[e.Block], err = r.alloc(e.Size)
			case replay.Free:
				err = r.free(blocks[e.Block])
			}
			if err != nil {
				return fmt.Errorf("event %d: %w", i, err)
			}
		}
		return r.end()
	}
	if err := serve(); err != nil {
		b.Fatal(err)
	}
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			if err := serve(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(p.Lives)), "ns/request")
	})
}
