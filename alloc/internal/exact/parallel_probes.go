package exact

import (
	"context"
	"runtime"
	"sync"

	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// maxWorkers bounds the goroutines that probe, since each stores its own states, in up to probeMemory
// bytes.
const (
	maxWorkers  = 8
	probeMemory = 96 << 20
)

// workers returns the number of goroutines that probe.
func (o Options) workers() int {
	if o.Workers > 0 {
		return min(o.Workers, maxWorkers)
	}
	return min(runtime.GOMAXPROCS(0), maxWorkers)
}

// A probePool runs numbered probes of one component at one capacity on several cores, with the result of
// sequential probes: the first answer by number counts, and later probes are discarded.
type probePool struct {
	component *component
	capacity  int64
	nodes     int64 // of one probe
	order     func(k int) packing.Order

	mu      sync.Mutex
	next    int
	first   int // the lowest number with an answer, or the number of probes
	runs    []probeResult
	cancels []context.CancelFunc
}

// A probeResult is the result of one probe.
type probeResult struct {
	answer  problem.Answer
	offsets []int64
	nodes   int64
}

// run runs tries probes, and returns the first with an answer and the number of probes that count.
func (w *probePool) run(ctx context.Context, tries, workers int) (probeResult, int) {
	w.first = tries
	w.runs, w.cancels = make([]probeResult, tries), make([]context.CancelFunc, tries)
	var others sync.WaitGroup
	for k := 1; k < min(workers, tries); k++ {
		search := w.component.searcher(k)
		others.Go(func() { w.work(ctx, search) })
	}
	w.work(ctx, w.component.searcher(0))
	others.Wait()
	counted := min(w.first+1, tries)
	total := probeResult{}
	if w.first < tries {
		total = w.runs[w.first]
		total.nodes = 0
	}
	for _, r := range w.runs[:counted] {
		total.nodes += r.nodes
	}
	return total, counted
}

// work runs probes until a lower one has answered or none is left.
func (w *probePool) work(ctx context.Context, search *packing.Search) {
	for {
		k, probe := w.nextProbe(ctx)
		if k < 0 {
			return
		}
		before := search.Nodes
		found, offsets := search.Run(probe, w.capacity, w.order(k), packing.Limits{Nodes: w.nodes, Memory: probeMemory})
		run := probeResult{answer: found, nodes: search.Nodes - before}
		if found == problem.Fits {
			run.offsets = append(run.offsets, offsets...) // the search overwrites them
		}
		w.finish(k, run)
	}
}

// nextProbe returns the next probe, or -1, and its context.
func (w *probePool) nextProbe(ctx context.Context) (int, context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.next
	if k >= w.first || ctx.Err() != nil {
		return -1, nil
	}
	w.next++
	probe, cancel := context.WithCancel(ctx)
	w.cancels[k] = cancel
	return k, probe
}

// finish stores the result of probe k, and stops later ones if it is an answer.
func (w *probePool) finish(k int, run probeResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancels[k]()
	w.runs[k] = run
	if run.answer == problem.Unknown || k > w.first {
		return
	}
	w.first = k
	for _, cancel := range w.cancels[k+1 : w.next] {
		cancel()
	}
}
