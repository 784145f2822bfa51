package residency

import (
	"context"
	"time"

	"golang.org/x/exp/slices"
)

// Saving returns further layers that may be resident in a budget without a latency above the given one, the largest
// first: those whose weights would be read again in each run for nothing. It evaluates at most nodes choices, and none
// after ctx has ended.
func (e *Evaluator) Saving(ctx context.Context, resident []bool, budget int64, latency time.Duration, nodes int64) (more []int) {
	resident = slices.Clone(resident)
	room := budget - slices.Max(e.Live)
	for _, i := range e.Owners {
		if resident[i] {
			room -= e.Weights[i]
		}
	}
	for _, i := range e.bySize() {
		if resident[i] || e.Weights[i] > room {
			continue
		}
		if nodes--; nodes < 0 || ctx.Err() != nil {
			break
		}
		resident[i] = true
		if e.Latency(resident, budget) > latency {
			resident[i] = false
			continue
		}
		more = append(more, i)
		room -= e.Weights[i]
	}
	return more
}
