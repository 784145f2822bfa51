package apart

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/answer"
	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
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
	// core is the records that were last proven not to fit.
	core []int
}

// spent reports whether the search has to end.
func (s *search) spent() bool { return s.ctx.Err() != nil || s.most > 0 && s.nodes >= s.most }

// fit says whether there is a plan of at most capacity bytes, in about so many nodes for each
// part; zero means any number. It takes over a plan that it finds, and what a refusal proves.
func (s *search) fit(capacity, nodes int64) answer.Answer {
	c := s.reduce(capacity)
	offsets := make([]int64, len(s.records))
	placed := make([]bool, len(s.records))
	all := answer.Fits
	for _, part := range c.parts {
		found, at := s.part(part, capacity, nodes)
		switch found {
		case answer.Misfit:
			s.floor, s.core = max(s.floor, roundUp(capacity+1, s.step)), part
			return answer.Misfit
		case answer.Unknown:
			all = answer.Unknown // another part may yet say no
		case answer.Fits:
			for k, i := range part {
				offsets[i], placed[i] = at[k], true
			}
		}
		if s.spent() {
			return answer.Unknown
		}
	}
	if all == answer.Fits {
		for k := len(c.later) - 1; k >= 0; k-- {
			i := c.later[k]
			offsets[i], placed[i] = s.lowest(i, offsets, placed), true
		}
		s.adopt(offsets)
	}
	return all
}

// part decides about one part.
func (s *search) part(rows []int, capacity, nodes int64) (answer.Answer, []int64) {
	if len(rows) > disjunctive.MaxRecords {
		return answer.Unknown, nil
	}
	if left := s.most - s.nodes; s.most > 0 && (nodes == 0 || left < nodes) {
		nodes = max(left, 1)
	}
	found := s.sub(rows).Fit(s.ctx, capacity, nodes)
	s.nodes += found.Nodes
	return found.Answer, found.Offsets
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

// lowest returns the lowest offset that the records placed leave to record i.
func (n *net) lowest(i int, offsets []int64, placed []bool) int64 {
	var taken []lifetime.Range
	for _, a := range n.arcs[i] {
		if placed[a.to] {
			at := offsets[a.to]
			for _, f := range a.forbidden { // the other's distance from i
				if at-f.Lo >= 0 {
					taken = append(taken, lifetime.Range{Lo: at - f.Hi, Hi: at - f.Lo})
				}
			}
		}
	}
	return lowest(taken, n.records[i].Alignment())
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

// firstNodes is how many nodes each part may take in the first round; each round doubles it.
const firstNodes = 200

// run searches until the total is proven or the search has to end. It returns whether there
// was nothing left to do.
func (s *search) run() bool {
	for nodes := int64(firstNodes); s.floor < s.total; nodes *= 2 {
		if s.spent() {
			return false
		}
		open := false
		for _, capacity := range []int64{s.floor, s.floor + (s.total-s.floor)/2, s.total - s.step} {
			if capacity >= s.floor && capacity < s.total && !s.spent() {
				open = s.fit(capacity, nodes) == answer.Unknown || open
			}
		}
		if !open && s.floor >= s.total {
			break
		}
		if nodes > 1<<40 {
			return false
		}
	}
	return true
}
