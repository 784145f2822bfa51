package residency

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// buckets is the number of sums of resident bytes that sums distinguishes.
const buckets = 2048

// sums evaluates one choice for each reachable sum of resident bytes, and polishes the best ones.
// Fast runs fill nearly all of memory, and changes of one or two layers lead from one such sum to
// another only through slower choices.
func (s *Search) sums(ctx context.Context, nodes int64) {
	order := slices.Clone(s.eval.Owners)
	s.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	room := s.budget - slices.Max(s.eval.Live)
	step := max(room/buckets, network.Alignment)
	last := s.reach(order, step)
	var found []Choice
	for sum := len(last) - 1; sum > 0 && ctx.Err() == nil; sum-- {
		if last[sum] < 0 {
			continue
		}
		s.choose(order, last, sum, step)
		if latency := s.latency(); latency != Never {
			found = append(found, Choice{slices.Clone(s.now.Resident), latency})
		}
	}
	slices.SortStableFunc(found, func(a, b Choice) int { return cmp.Compare(a.Latency, b.Latency) })
	for _, c := range found[:min(len(found), 4)] {
		copy(s.now.Resident, c.Resident)
		s.now.Latency = c.Latency
		s.descend(ctx, nodes/4)
	}
}

// reach returns for each sum, in steps, the index in order of the last layer of a subset with that
// sum, or -1.
func (s *Search) reach(order []int, step int64) []int {
	last := make([]int, buckets+1)
	for i := range last {
		last[i] = -1
	}
	last[0] = len(order)
	for k, i := range order {
		size := int((s.eval.Weights[i] + step - 1) / step)
		for sum := buckets; sum >= size; sum-- {
			if last[sum] < 0 && last[sum-size] >= 0 && (sum == size || last[sum-size] < k) {
				last[sum] = k
			}
		}
	}
	return last
}

// choose makes the subset of a sum resident, and all other layers streamed.
func (s *Search) choose(order, last []int, sum int, step int64) {
	clear(s.now.Resident)
	for sum > 0 {
		i := order[last[sum]]
		s.now.Resident[i] = true
		sum -= int((s.eval.Weights[i] + step - 1) / step)
	}
}
