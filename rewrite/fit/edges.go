package fit

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// An edge is a part of a path: the operators from boundary from to boundary to, as they
// are or as a stage.
type edge struct {
	from, to int
	stage    *split.Stage
	cost
}

// A cost is what a part of a path, or all of it, comes to.
type cost struct {
	// peak is the most bytes alive, and sure what they are without takeovers: a plan in
	// which tensors share memory does not always come down to the peak.
	peak, sure int64
	// macs, tail and file are extra multiply-accumulates, extra persistent bytes, and those
	// that the file grows by, about; setup is what the runtime needs besides while it plans.
	macs, tail, file, setup int64
}

// beats reports whether c is as good as d in all but the file.
func (c cost) beats(d cost) bool {
	return c.peak <= d.peak && c.sure <= d.sure && c.macs <= d.macs && c.tail <= d.tail
}

// plus returns the cost of one part behind another.
func (c cost) plus(d cost) cost {
	return cost{max(c.peak, d.peak), max(c.sure, d.sure), c.macs + d.macs, c.tail + d.tail, c.file + d.file, c.setup + d.setup}
}

// edges returns the parts that paths are made of: stages only of what needs more than
// enough bytes as it is, tried so finely that it is no more than the most work, and whether
// that bound left any out. When ctx ends it returns those that it has.
func (r *row) edges(ctx context.Context, enough int64, most int, report func(done, all int)) (list []edge, bounded bool) {
	enough = max(enough, r.floor())
	spans, effort, _ := r.spans(enough, most)
	spans = append(spans, r.channelSpans(ctx, enough)...)
	return append(r.parts(spans), r.stagesOf(ctx, spans, effort, report)...), effort != &efforts[0]
}

// parts returns the operators from each boundary to the next as they are.
func (r *row) parts(spans []span) (list []edge) {
	bounds := r.boundaries()
	for _, at := range spans {
		bounds = append(bounds, at.from, at.to)
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for k, from := range bounds[:len(bounds)-1] {
		list = append(list, r.plain(from, bounds[k+1]))
	}
	return list
}

// refined returns the stages of the runs that some paths cut, as finely as there are any.
func (r *row) refined(ctx context.Context, points []point) []edge {
	var spans []span
	for _, p := range points {
		for _, e := range p.edges {
			if at := (span{from: e.from, to: e.to}); e.stage != nil && e.stage.Channels < 2 && !slices.Contains(spans, at) {
				spans = append(spans, at)
			}
		}
	}
	return r.stagesOf(ctx, spans, &efforts[0], nil)
}

// stagesOf returns the stages of some runs, those tried until ctx ends.
func (r *row) stagesOf(ctx context.Context, spans []span, effort *effort, report func(done, all int)) (list []edge) {
	found := make([][]edge, len(spans))
	var next, done int
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= len(spans) || ctx.Err() != nil {
					return
				}
				found[k] = r.stages(ctx, spans[k], effort)
				mu.Lock()
				done++
				if report != nil {
					report(done, len(spans))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for _, edges := range found {
		list = append(list, edges...)
	}
	return list
}

func (r *row) plain(from, to int) edge {
	e := edge{from: from, to: to}
	for i := from; i < to; i++ {
		e.peak, e.sure = max(e.peak, r.breadth[i]), max(e.sure, r.alone[i])
	}
	return e
}
