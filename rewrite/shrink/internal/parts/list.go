package parts

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/workers"
)

// List returns the parts of paths. Stages are tried only for runs that need more than enough
// bytes unmodified, only so finely that their fragments have at most about most operators, and with
// at most macs extra multiply-accumulates. report, if not nil, is called with the
// number of runs tried. When ctx ends List returns the parts found so far.
func (r *Row) List(ctx context.Context, enough int64, most int, macs int64, report func(done, all int)) []Part {
	enough = max(enough, r.Floor())
	spans, effort := r.spans(enough, most)
	spans = append(spans, r.channelSpans(ctx, enough)...)
	return append(r.between(spans), r.stagesOf(ctx, spans, effort.within(macs), report)...)
}

// Refined returns the stages of the runs that some paths tile, at the finest granularity and also in
// tiles of different sizes. macs is as in [Row.List].
func (r *Row) Refined(ctx context.Context, paths []Path, macs int64) []Part {
	var spans []span
	for i := range paths {
		for _, s := range paths[i].Stages {
			at := span{from: s.First, to: s.Last + 1}
			if s.Channels < 2 && !slices.Contains(spans, at) {
				spans = append(spans, at)
			}
		}
	}
	return r.stagesOf(ctx, spans, finest().within(macs), nil)
}

// between returns the unmodified operators from each boundary to the next.
func (r *Row) between(spans []span) (list []Part) {
	bounds := r.boundaries()
	for _, at := range spans {
		bounds = append(bounds, at.from, at.to)
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for k, from := range bounds[:len(bounds)-1] {
		list = append(list, r.asIs(from, bounds[k+1]))
	}
	return list
}

// stagesOf returns the stages of some runs, those tried before ctx ends.
func (r *Row) stagesOf(ctx context.Context, spans []span, effort *effort, report func(done, all int)) (list []Part) {
	found := make([][]Part, len(spans))
	var next, done int
	var mu sync.Mutex
	var wait workers.Group
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= len(spans) || deadline.Err(ctx) != nil {
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
	for _, parts := range found {
		list = append(list, parts...)
	}
	return list
}
