package residency

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/exp/slices"
)

// Grow makes one layer after another resident, each time the one with the largest gain, as long as
// there is one. It evaluates a layer again only if its gain may be the largest. It evaluates about
// nodes choices at most; with more layers than that, it makes the largest layers resident instead.
func (s *Search) Grow(ctx context.Context, nodes int64) {
	end := s.Nodes + nodes
	if int64(len(s.eval.Owners)) > nodes {
		s.largest(ctx)
		return
	}
	gains := make([]time.Duration, len(s.eval.Live))
	queue := slices.Clone(s.eval.Owners)
	for _, i := range queue {
		gains[i] = s.gain(i)
	}
	for ctx.Err() == nil && len(queue) > 0 && s.Nodes < end {
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

// largest tries several numbers of the largest layers.
func (s *Search) largest(ctx context.Context) {
	const numbers = 32
	order := s.eval.bySize()
	for k := 1; k <= numbers && ctx.Err() == nil; k++ {
		for _, i := range order[len(order)*(k-1)/numbers : len(order)*k/numbers] {
			s.now.Resident[i] = true
		}
		if s.now.Latency = s.latency(); s.now.Latency < s.best.Latency {
			s.keep()
		}
	}
	s.back()
}

// gain returns the time saved by one more resident layer.
func (s *Search) gain(i int) time.Duration {
	s.now.Resident[i] = true
	latency := s.latency()
	s.now.Resident[i] = false
	if latency == Never {
		return 0
	}
	return s.now.Latency - latency
}

// fill makes layers resident in the given order, except those that make the run slower.
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

// restart makes all layers streamed.
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
