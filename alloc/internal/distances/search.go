package distances

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// A search looks for smaller totals of a net, and for proofs.
type search struct {
	*pairGraph
	ctx  context.Context
	best []int64
	// total is the total of best, and floor a lower bound, both in bytes.
	total, floor int64
	// nodes is the number of visited nodes, and most their limit; zero means no limit.
	nodes, maxNodes int64
	better          func()
	seed            uint64
	// core is the records last proven not to fit.
	core []int
}

// spent reports whether the search must end.
func (s *search) spent() bool {
	return deadline.Err(s.ctx) != nil || s.maxNodes > 0 && s.nodes >= s.maxNodes
}

// fit decides whether a plan of at most capacity bytes exists, in about nodes nodes for each part; zero
// means no limit. It adopts a plan that it finds, or the proof of a misfit.
func (s *search) fit(capacity, nodes int64) problem.Answer {
	c := s.reduce(capacity)
	offsets := make([]int64, len(s.records))
	placed := make([]bool, len(s.records))
	all := problem.Fits
	for _, part := range c.parts {
		found, at, blame := s.part(part, capacity, nodes)
		switch found {
		case problem.Misfit:
			s.core = blame
			s.raise(capacity + 1)
			return problem.Misfit
		case problem.Unknown:
			all = problem.Unknown // another part may still be a misfit
		case problem.Fits:
			for k, i := range part {
				offsets[i], placed[i] = at[k], true
			}
		}
		if s.spent() {
			return problem.Unknown
		}
	}
	if all == problem.Fits {
		s.finish(offsets, placed, c.later)
	}
	return all
}

// finish places the dropped records, and adopts the plan.
func (s *search) finish(offsets []int64, placed []bool, later []int) {
	for k := len(later) - 1; k >= 0; k-- {
		i := later[k]
		var taken []lifetime.Range
		for _, a := range s.arcs[i] {
			if placed[a.to] {
				taken = a.appendForbidden(taken, offsets[a.to])
			}
		}
		offsets[i], placed[i] = lowest(taken, s.records[i].Alignment()), true
	}
	s.adopt(offsets)
}

// climbs searches for smaller totals, first midway between the bound and the best one.
func (s *search) climbs(steps int64) {
	for _, part := range []int64{2, 8} {
		for s.floor < s.total && s.climb(s.total-max(1, (s.total-s.floor)/part), steps) {
			continue
		}
	}
}

// reachable returns the smallest total of at least a number of bytes at which a record can end.
func (s *search) reachable(bytes int64) int64 {
	least := int64(math.MaxInt64)
	for _, r := range s.records {
		switch {
		case !r.Pinned:
			least = min(least, integer.RoundUp(max(bytes-r.Size, 0), r.Alignment())+r.Size)
		case r.Offset+r.Size >= bytes:
			least = min(least, r.Offset+r.Size)
		}
	}
	return least
}

// raise raises the lower bound to a number of bytes.
func (s *search) raise(bytes int64) {
	if bytes = s.reachable(bytes); bytes > s.floor {
		s.floor = min(bytes, s.total)
	}
}

// part decides one part. If it does not fit, part also returns the records to blame.
func (s *search) part(rows []int, capacity, nodes int64) (found problem.Answer, at []int64, blame []int) {
	if blame = s.window(rows, capacity, nodes); blame != nil {
		return problem.Misfit, nil, blame
	}
	if len(rows) > disjunctive.MaxRecords {
		return problem.Unknown, nil, nil
	}
	result := s.sub(rows).Fit(s.ctx, capacity, s.allowed(nodes))
	s.nodes += result.Nodes
	return result.Answer, result.Offsets, rows
}

// sub returns some of the records as a separate problem.
func (s *search) sub(rows []int) disjunctive.Problem {
	p := disjunctive.Problem{Records: make([]lifetime.Record, len(rows))}
	for k, i := range rows {
		p.Records[k] = s.records[i]
	}
	p.Forbid = func(a, b int) []lifetime.Range { return s.between(rows[a], rows[b]) }
	return p
}

// adopt stores a plan if it is better.
func (s *search) adopt(offsets []int64) {
	if total := problem.TotalOf(s.records, offsets); total < s.total {
		s.best, s.total = offsets, total
		if s.better != nil {
			s.better()
		}
	}
}

// firstNodes is the node limit of each part in the first round, and firstSteps the limit of ranges or
// orders of a climb; each round doubles them. maxRounds ends a search without progress.
const (
	firstNodes = 200
	firstSteps = 1 << 18
	orders     = 12
	maxRounds  = 24
)

// run searches until the total is proven or the search must end. It returns whether it is complete.
func (s *search) run() bool {
	s.raise(s.floor)
	for round := 0; s.floor < s.total; round++ {
		if round == maxRounds {
			return false
		}
		s.climbs(max(firstSteps, orders*s.width) << min(round, 6))
		for _, half := range []int64{2, 0, 1} { // below the total, at the floor, and in between
			if s.spent() {
				return false
			}
			if s.floor < s.total {
				s.fit(s.floor+(s.total-1-s.floor)*half/2, firstNodes<<round)
			}
		}
	}
	return true
}
