package distances

import (
	"context"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/internal/disjunctive"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// draw returns a chain of records with some that live longer, of which neighbours may share
// bytes.
func draw(r *rand.Rand, n int) *Problem {
	records := make(problem.Records, n)
	align := []int64{1, 1, 4, 16}[r.IntN(4)]
	for i := range records {
		records[i] = lifetime.Record{First: i, Last: i + 1, Size: 1 + r.Int64N(60), Align: align}
		if r.IntN(5) == 0 {
			records[i].Last += r.IntN(6)
		}
		if r.IntN(20) == 0 && i%7 == 0 {
			records[i].Pinned, records[i].Offset = true, align*r.Int64N(3)
		}
	}
	less := map[[2]int]int64{}
	forbid := func(a, b int) []lifetime.Range {
		lo := max(1-records[b].Size, less[[2]int{a, b}])
		if hi := records[a].Size - 1; lo <= hi {
			return []lifetime.Range{{Lo: lo, Hi: hi}}
		}
		return nil
	}
	for i := range n - 1 {
		less[[2]int{i, i + 1}] = 1 - records[i+1].Size + r.Int64N(records[i+1].Size+records[i].Size/2)
	}
	return New(records, forbid)
}

// TestImproveAgrees compares the search with one that neither leaves anything out nor looks at
// windows.
func TestImproveAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 150 {
		p := draw(r, 4+r.IntN(24))
		offsets, err := p.BySize(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		total := problem.TotalOf(p.Records, offsets)
		whole := disjunctive.Problem{Records: p.Records, Forbid: disjunctive.Forbid(p.forbid)}
		want := whole.Minimise(context.Background(), 0, total, 20_000, nil)
		bound := p.Bound()
		got := p.Improve(context.Background(), offsets, bound, Options{Nodes: 50_000})
		if bound.Bytes > want.Total {
			t.Fatalf("problem %d: bound %d, least %d", k, bound.Bytes, want.Total)
		}
		if !want.Proven {
			continue
		}
		least := problem.TotalOf(p.Records, got.Offsets)
		if least != want.Total || got.LowerBound > least {
			t.Errorf("problem %d: %d bytes, bound %d; the least is %d", k, least, got.LowerBound, want.Total)
		}
		if err := check.Distances(p.Records, got.Offsets, least, p.forbid); err != nil {
			t.Errorf("problem %d: %v", k, err)
		}
		for _, capacity := range []int64{want.Total - 1, want.Total} {
			fitted := p.Fit(context.Background(), offsets, capacity, bound, Options{})
			if (fitted.Answer == problem.Fits) != (capacity == want.Total) || fitted.Answer == problem.Unknown {
				t.Errorf("problem %d: %v in %d bytes, the least is %d", k, fitted.Answer, capacity, want.Total)
			}
			if fitted.Answer == problem.Misfit {
				checkCore(t, p, fitted.Core(), capacity)
			}
		}
	}
}

// checkCore asks whether the records blamed do not fit by themselves.
func checkCore(t *testing.T, p *Problem, core []int, capacity int64) {
	t.Helper()
	sub := disjunctive.Problem{Forbid: func(a, b int) []lifetime.Range { return p.Forbidden(core[a], core[b]) }}
	for _, i := range core {
		sub.Records = append(sub.Records, p.Records[i])
	}
	if got := sub.Fit(context.Background(), capacity, 100_000); got.Answer == problem.Fits {
		t.Errorf("%v fit into %d bytes by themselves", core, capacity)
	}
}

// TestForbiddenBothWays: the forbidden differences of b from a are the negated ones of a from b.
func TestForbiddenBothWays(t *testing.T) {
	p := draw(rand.New(rand.NewPCG(3, 4)), 12)
	for a := range p.Records {
		for b := range p.Records {
			if ab, ba := p.Forbidden(a, b), p.Forbidden(b, a); !slices.Equal(ab, mirror(ba)) {
				t.Errorf("%d and %d: %v, %v", a, b, ab, ba)
			}
		}
	}
}
