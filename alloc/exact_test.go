package alloc

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

var seed = flag.Uint64("seed", 4, "which random problems they are")

var problems = flag.Int("problems", 600, "how many random problems exact is compared with brute force on")

// leastTotal places the records that are left in every order in which offsets rise, or
// rows where offsets are equal, after the last one placed, each at the lowest byte that is free; some such order leads to any packing in
// which nothing can be put lower. It gives a branch up that cannot be below the best.
func leastTotal(records Records, offsets []int64, done []bool, last int, end, best int64) int64 {
	if end >= best {
		return best
	}
	finished := true
	for i, r := range records {
		if done[i] {
			continue
		}
		finished = false
		offset := int64(0)
		for offset+r.Size < best && !isFree(records, offsets, done, i, offset) {
			offset += r.Alignment()
		}
		if offset+r.Size >= best {
			continue
		}
		if last >= 0 && (offset < offsets[last] || offset == offsets[last] && i < last) {
			continue
		}
		done[i], offsets[i] = true, offset
		best = leastTotal(records, offsets, done, i, max(end, offset+r.Size), best)
		done[i] = false
	}
	if finished {
		return end
	}
	return best
}

func least(records Records) int64 {
	offsets, done := make([]int64, len(records)), make([]bool, len(records))
	for i, r := range records {
		done[i], offsets[i] = r.Pinned, r.Offset
	}
	return leastTotal(records, offsets, done, -1, problem.PinnedEnd(records), lifetime.MaxTotal)
}

// exact agrees with brute force, and so do the verdicts around the optimum. A core does
// not fit, and fits once any of its records is left out.
func TestExactAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, *seed))
	searched, count := 0, *problems
	if testing.Short() {
		count /= 5
	}
	for n := range count {
		records := reference.Small(r)
		want := least(records)
		plan, err := Solve(context.Background(), records, Options{Approach: Offsets, Strategy: Exact})
		if err != nil || !plan.Optimal || plan.Total != want || plan.LowerBound != want {
			t.Fatalf("problem %d: %+v, error %v, want %d\n%+v", n, plan, err, want, records)
		}
		if plan.Nodes > 0 {
			searched++
		}
		if n%4 == 0 {
			checkVerdicts(t, records, want)
		}
	}
	t.Logf("%d of %d were searched", searched, count)
	if searched < count/100 {
		t.Errorf("only %d were searched", searched)
	}
}

func checkVerdicts(t *testing.T, records Records, want int64) {
	t.Helper()
	for _, capacity := range []int64{want, want - 1, want / 2} {
		v, err := Fit(context.Background(), records, capacity, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if capacity >= want {
			if v.Answer != Fits || v.Plan.Total > capacity || v.Core != nil {
				t.Fatalf("capacity %d, optimum %d: %+v\n%+v", capacity, want, v, records)
			}
			continue
		}
		if v.Answer != Misfit || v.Proof == (Proof{}) || v.Plan.LowerBound <= capacity {
			t.Fatalf("capacity %d, optimum %d: %+v, %+v\n%+v", capacity, want, v, v.Plan, records)
		}
		checkCore(t, records, v.Core, capacity)
	}
}

func some(records Records, rows []int) (list Records) {
	for _, i := range rows {
		list = append(list, records[i])
	}
	return list
}

func checkCore(t *testing.T, records Records, core []int, capacity int64) {
	t.Helper()
	if least(some(records, core)) <= capacity {
		t.Fatalf("core %v fits into %d\n%+v", core, capacity, records)
	}
	for k := range core {
		rest := append(slices.Clone(core[:k]), core[k+1:]...)
		if len(rest) > 0 && least(some(records, rest)) > capacity {
			t.Fatalf("core %v of %d could do without %d\n%+v", core, capacity, core[k], records)
		}
	}
}

// Alignments that do not divide each other: an explanation once left a cause out.
func TestMixedAlignments(t *testing.T) {
	records := Records{
		{First: 3, Last: 6, Size: 3, Align: 3},
		{First: 1, Last: 4, Size: 10, Align: 2},
		{First: 1, Last: 4, Size: 4, Align: 4},
		{First: 3, Last: 4, Size: 8, Align: 3},
		{First: 1, Last: 3, Size: 4, Align: 2},
		{First: 4, Last: 5, Size: 7, Align: 4},
		{First: 1, Last: 1, Size: 9, Align: 4},
		{First: 1, Last: 2, Size: 10, Align: 4},
	}
	if plan := solve(t, records, Offsets, Exact); plan.Total != 37 || !plan.Optimal {
		t.Errorf("%d bytes, optimal %v, want 37", plan.Total, plan.Optimal)
	}
}

// When there is no time there still is a plan, with a true bound, and an open verdict.
func TestExactWithoutTime(t *testing.T) {
	records := wide()[:300]
	for looks := 1; looks < 100; looks += 3 {
		plan, err := Solve(expiry.New(looks), records, Options{Approach: Offsets, Strategy: Exact})
		if err != nil || plan.Total < plan.LowerBound || !plan.Optimal && !plan.Interrupted {
			t.Fatalf("%d looks: %+v, error %v", looks, plan, err)
		}
		v, err := Fit(expiry.New(looks), records, plan.LowerBound, Options{})
		if err != nil || v.Answer == Misfit || (v.Answer == Fits) != (v.Plan.Total <= plan.LowerBound) {
			t.Errorf("%d looks: %+v, error %v", looks, v, err)
		}
	}
}

// A reason that was replaced further down the search must come back with its skip.
func TestReasonsComeBack(t *testing.T) {
	records := Records{
		{First: 3, Last: 3, Size: 4, Align: 2},
		{First: 2, Last: 2, Size: 2, Align: 2},
		{First: 0, Last: 1, Size: 4},
		{First: 2, Last: 3, Size: 3, Pinned: true, Offset: 1},
		{First: 3, Last: 3, Size: 5},
		{First: 1, Last: 1, Size: 4, Align: 3},
		{First: 0, Last: 3, Size: 5, Align: 3},
	}
	if plan := solve(t, records, Offsets, Exact); plan.Total != 18 || !plan.Optimal {
		t.Errorf("%d bytes, optimal %v, want 18", plan.Total, plan.Optimal)
	}
}

// Whatever the order of records, an alignment that another one makes matter does.
func TestAlignmentsThatMatter(t *testing.T) {
	a, b := lifetime.Record{First: 2, Last: 4, Size: 6, Align: 3}, lifetime.Record{First: 2, Last: 5, Size: 12, Align: 8}
	c := lifetime.Record{First: 3, Last: 5, Size: 6, Align: 8}
	for _, records := range []Records{{a, b, c}, {c, b, a}, {b, a, c}} {
		if plan := solve(t, records, Offsets, Exact); plan.Total != least(records) || !plan.Optimal {
			t.Errorf("%d bytes, want %d", plan.Total, least(records))
		}
	}
}
