package relax

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/exp/slices"
)

// Grow makes one layer after another resident, each time the one that makes the run fastest,
// as long as one does. What a layer gains is computed again only when it may be the most.
func (s *Search) Grow(ctx context.Context) {
	gains := make([]time.Duration, len(s.eval.Live))
	queue := slices.Clone(s.eval.Owners)
	for _, i := range queue {
		gains[i] = s.gain(i)
	}
	for ctx.Err() == nil && len(queue) > 0 {
		slices.SortStableFunc(queue, func(i, j int) int { return cmp.Compare(gains[j], gains[i]) })
		first, rest := queue[0], queue[1:]
		gains[first] = s.gain(first)
		if gains[first] <= 0 {
			queue = rest
			continue
		}
		if len(rest) > 0 && gains[first] < gains[rest[0]] {
			continue
		}
		s.now.Resident[first] = true
		s.now.Latency -= gains[first]
		queue = rest
	}
	if s.now.Latency < s.best.Latency {
		s.keep()
	}
}

// gain returns how much faster the run is with one more resident layer.
func (s *Search) gain(i int) time.Duration {
	s.now.Resident[i] = true
	latency := s.latency()
	s.now.Resident[i] = false
	if latency == Never {
		return 0
	}
	return s.now.Latency - latency
}

// fill makes layers resident in the given order, each that does not make the run slower.
func (s *Search) fill(order []int) {
	for _, i := range order {
		if s.now.Resident[i] {
			continue
		}
		s.now.Resident[i] = true
		if latency := s.latency(); latency <= s.now.Latency {
			s.now.Latency = latency
		} else {
			s.now.Resident[i] = false
		}
	}
	if s.now.Latency < s.best.Latency {
		s.keep()
	}
}

// restart begins again with nothing resident.
func (s *Search) restart() {
	clear(s.now.Resident)
	s.now.Latency = s.latency()
}

// bySize returns the layers that have weights, the largest first.
func (p *Problem) bySize() []int {
	order := slices.Clone(p.Owners)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.Weights[j], p.Weights[i]) })
	return order
}
