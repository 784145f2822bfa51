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

// A search looks for smaller totals of a net and for proofs.
type search struct {
	*net
	ctx  context.Context
	best []int64
	// total is that of best; no plan goes below floor. Both are in bytes.
	total, floor int64
	// nodes is how many nodes were visited, and most how many may be; zero means any number.
	nodes, most int64
	better      func()
	seed        uint64
	// core is the records that were last proven not to fit.
	core []int
}

// spent reports whether the search has to end.
func (s *search) spent() bool { return deadline.Err(s.ctx) != nil || s.most > 0 && s.nodes >= s.most }

// fit says whether there is a plan of at most capacity bytes, in about so many nodes for each
// part; zero means any number. It takes over a plan that it finds, and what a refusal proves.
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
			all = problem.Unknown // another part may yet say no
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

// finish places the records that were left out, and takes over the plan.
func (s *search) finish(offsets []int64, placed []bool, later []int) {
	for k := len(later) - 1; k >= 0; k-- {
		i := later[k]
		var taken []lifetime.Range
		for _, a := range s.arcs[i] {
			if placed[a.to] {
				taken = a.take(taken, offsets[a.to])
			}
		}
		offsets[i], placed[i] = lowest(taken, s.records[i].Alignment()), true
	}
	s.adopt(offsets)
}

// climbs looks for smaller totals, in the middle between the bound and the best one first.
func (s *search) climbs(steps int64) {
	for _, part := range []int64{2, 8} {
		for s.floor < s.total && s.climb(s.total-max(1, (s.total-s.floor)/part), steps) {
			continue
		}
	}
}

// reachable returns the smallest total from a number of bytes on: one at which a record can
// end.
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

// raise takes over that no plan goes below a number of bytes.
func (s *search) raise(bytes int64) {
	if bytes = s.reachable(bytes); bytes > s.floor {
		s.floor = min(bytes, s.total)
	}
}

// part decides about one part. Where it refuses one, it also returns the records to blame.
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

// sub returns some of the records as a problem of their own.
func (s *search) sub(rows []int) disjunctive.Problem {
	p := disjunctive.Problem{Records: make([]lifetime.Record, len(rows))}
	for k, i := range rows {
		p.Records[k] = s.records[i]
	}
	p.Forbid = func(a, b int) []lifetime.Range { return s.between(rows[a], rows[b]) }
	return p
}

// adopt takes over a plan if it is better.
func (s *search) adopt(offsets []int64) {
	if total := problem.TotalOf(s.records, offsets); total < s.total {
		s.best, s.total = offsets, total
		if s.better != nil {
			s.better()
		}
	}
}

// firstNodes is how many nodes each part may take in the first round, and firstSteps how many
// ranges a climb may look at, or orders; each round doubles them. maxRounds ends a search that
// gets nowhere.
const (
	firstNodes = 200
	firstSteps = 1 << 18
	orders     = 12
	maxRounds  = 24
)

// run searches until the total is proven or the search has to end. It returns whether there
// was nothing left to do.
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
