package replay

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// Iterations finds the iterations of the trace, plans the one with the largest peak, and checks that
// plan against all others. It returns nil if nothing repeats. It returns errors of [Profile.Plan].
func (p *Profile) Iterations(ctx context.Context, opt Options) (*Iterations, error) {
	it := p.Device.iterations()
	if it == nil {
		return nil, nil
	}
	lives := p.requestsIn(it.List)
	requests := make([][]lifetime.Record, len(lives))
	lane := p.mainLane()
	if opt.Together {
		lane = -1
	}
	for k := range it.List {
		requests[k] = p.hotOf(it.List[k], lives[k], lane)
		hot, _ := hotRecords(requests[k])
		it.List[k].Requests, it.List[k].Hot, it.List[k].Peak = len(requests[k]), len(hot), lifetime.MaxBreadth(hot)
	}
	it.Reference = reference(it.List)
	hot, at := hotRecords(requests[it.Reference])
	solve := opt.Solve
	solve.Approach, solve.Quick = alloc.Offsets, solve.Quick || len(hot) > manyBlocks
	var err error
	if it.Hot, err = alloc.Solve(ctx, hot, solve); err != nil {
		return nil, err
	}
	places := make([]int64, len(requests[it.Reference]))
	for n, k := range at {
		places[k] = it.Hot.Offsets[n]
	}
	apart := make([]bool, len(p.Lives)) // planned lives
	for k := range it.List {
		it.List[k].Misfit = misfit(requests[it.Reference], places, requests[k])
		if it.List[k].Misfit != "" {
			continue
		}
		it.Fitting++
		for n, i := range lives[k] {
			apart[i] = requests[it.Reference][n].Size >= 0
		}
	}
	it.Kept, err = p.without(apart, it.List[0].First, it.List[len(it.List)-1].End-1).Plan(ctx, opt)
	return it, err
}

// reference returns the iteration with the largest peak, among those with the most common number of
// requests.
func reference(list []Iteration) int {
	count := map[int]int{}
	for _, s := range list {
		count[s.Requests]++
	}
	best := 0
	for k, s := range list {
		more, most := count[s.Requests], count[list[best].Requests]
		if more > most || more == most && s.Peak > list[best].Peak {
			best = k
		}
	}
	return best
}

// without returns the profile between two events, both inclusive, without planned blocks. Events before
// the first iteration may be a part of one, or an unusual first run.
func (p *Profile) without(apart []bool, first, last int) *Profile {
	q := &Profile{Device: p.Device, Granule: p.Granule, Unseen: p.Unseen}
	for i, l := range p.Lives {
		if apart[i] || l.Last < first || l.First > last {
			continue
		}
		l.Early, l.Late = l.Early || l.First < first, l.Late || l.Last > last
		l.First, l.Last = max(l.First, first), min(l.Last, last)
		q.Lives = append(q.Lives, l)
	}
	return q
}
