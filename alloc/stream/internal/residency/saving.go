package residency

import (
	"time"

	"golang.org/x/exp/slices"
)

// Saving returns further layers that may be resident in a budget without a latency above the given one, the largest
// first: those whose weights would be read again in each run for nothing.
func (e *Evaluator) Saving(resident []bool, budget int64, latency time.Duration) (more []int) {
	resident = slices.Clone(resident)
	for _, i := range e.bySize() {
		if resident[i] {
			continue
		}
		resident[i] = true
		if e.Latency(resident, budget) > latency {
			resident[i] = false
			continue
		}
		more = append(more, i)
	}
	return more
}
