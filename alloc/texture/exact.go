package texture

import (
	"cmp"
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// maxNodes is the node limit of the search: a second or so.
const maxNodes = 2_000_000

// exact searches for the smallest total: each record, the largest first, is tried in each free object
// and in a new one. A branch ends if it is no better than the best plan, since totals only grow with
// more records.
func exact(ctx context.Context, records []Record) *Plan {
	best := growing(records)
	for _, other := range []*Plan{inOrder(records), equality(records)} {
		if other.elements() < best.elements() {
			best = other
		}
	}
	s := &search{ctx: ctx, records: records, best: best, total: best.elements(), bound: lifetime.SharedBound(flat(records))}
	s.order = byFirst(records)
	slices.SortStableFunc(s.order, func(a, b int) int {
		return cmp.Compare(records[b].Shape.Elements(), records[a].Shape.Elements())
	})
	s.objects = make([]int, len(records))
	s.place(0, 0)
	s.best.Nodes = s.nodes
	if !s.cut {
		s.best.Optimal, s.best.LowerBound = true, s.total
		s.best.Proof = problem.Proof{Kind: problem.BySearch, Text: fmt.Sprintf("the search for a smaller total is complete, after %d nodes", s.nodes)}
	}
	return s.best
}

type search struct {
	ctx          context.Context
	records      []Record
	order        []int
	best         *Plan
	total, bound int64
	nodes        int64
	cut          bool // the search is incomplete

	objects []int
	shapes  []Shape
	held    [][]int
}

// place tries all places for the record at an index of the order; total is the current sum of elements.
func (s *search) place(at int, total int64) {
	if s.nodes++; s.nodes > maxNodes || s.nodes%1024 == 0 && s.ctx.Err() != nil {
		s.cut = true
	}
	if s.cut || total >= s.total || s.total == s.bound {
		return
	}
	if at == len(s.order) {
		s.total = total
		s.best = &Plan{Objects: slices.Clone(s.objects)}
		for _, shape := range s.shapes {
			s.best.Shapes = append(s.best.Shapes, slices.Clone(shape))
		}
		return
	}
	i := s.order[at]
	r := s.records[i]
	for o := range s.shapes {
		if !disjoint(s.records, s.held[o], r) {
			continue
		}
		before := s.shapes[o]
		s.shapes[o] = before.grown(r.Shape)
		s.objects[i], s.held[o] = o, append(s.held[o], i)
		s.place(at+1, total+s.shapes[o].Elements()-before.Elements())
		s.shapes[o], s.held[o] = before, s.held[o][:len(s.held[o])-1]
	}
	s.shapes, s.held = append(s.shapes, r.Shape), append(s.held, []int{i})
	s.objects[i] = len(s.shapes) - 1
	s.place(at+1, total+r.Shape.Elements())
	s.shapes, s.held = s.shapes[:len(s.shapes)-1], s.held[:len(s.held)-1]
}
