package residency

import "time"

// Late returns for each streamed layer the last step from which it may hold memory so that the run
// still ends by target. [Evaluator.Latency] must have been called before for the same layers, and
// target must not be below its result. Resident layers have their own step, and loads of no bytes the first one.
//
// Tensors that hold memory for a shorter time are easier to place.
func (e *Evaluator) Late(resident []bool, target time.Duration) []int {
	n := len(e.Live)
	latest := e.latest(resident, target)
	first, ends := make([]int, n), make([]time.Duration, n)
	var loader, processor time.Duration
	for i := 1; i < n; i++ {
		first[i] = i
		if e.Weights[i] == 0 {
			first[i] = e.First[i] // as in Latency
		}
		if !resident[i] && e.Load[i] > 0 {
			for first[i] > e.First[i] && ends[first[i]-1] > latest[i] {
				first[i]--
			}
			loader = max(loader, ends[max(first[i]-1, 0)]) + e.Load[i]
			processor = max(processor, loader)
		}
		processor += e.Compute[i]
		ends[i] = processor
	}
	return first
}

// latest returns the time by which each load must begin for the run to end by target, if it and all
// later loads hold memory from e.First on.
func (e *Evaluator) latest(resident []bool, target time.Duration) []time.Duration {
	n := len(e.Live)
	latest, ends := make([]time.Duration, n), make([]time.Duration, n)
	for i := range ends {
		ends[i] = target
	}
	next := target
	for i := n - 1; i > 0; i-- {
		if i+1 < n {
			ends[i] = min(ends[i], ends[i+1]-e.Compute[i+1])
		}
		latest[i] = next
		if resident[i] || e.Load[i] == 0 {
			continue
		}
		next = min(ends[i]-e.Compute[i], next) - e.Load[i]
		latest[i] = next
		if free := e.First[i] - 1; free > 0 {
			ends[free] = min(ends[free], next)
		}
	}
	return latest
}
