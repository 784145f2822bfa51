package alloc

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

var seed = flag.Uint64("seed", 4, "which random problems they are")

var problems = flag.Int("problems", 1500, "how many random problems exact is compared with brute force on")

// small returns a random problem of up to 8 records: dense, with few sizes or many, and
// sometimes alignments and pins.
func small(r *rand.Rand) Records {
	records := make(Records, 1+r.IntN(8))
	positions, largest := 1+r.IntN(6), []int64{2, 5, 12}[r.IntN(3)]
	aligned, pinned := r.IntN(2) == 0, r.IntN(4) == 0
	for i := range records {
		first := r.IntN(positions)
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: first, Last: first + r.IntN(4), Size: 1 + r.Int64N(largest)}
		if aligned {
			records[i].Align = []int64{1, 2, 4, 3, 8, 12}[r.IntN(6)]
		}
		if pinned && r.IntN(4) == 0 {
			records[i].Pinned, records[i].Offset = true, records[i].Alignment()*r.Int64N(3)
			records[i].Pinned = checkInput(records[:i+1], Offsets) == nil
		}
	}
	return records
}

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
		records := small(r)
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
		if v.Answer != Misfit || v.Proof == "" || v.Plan.LowerBound <= capacity {
			t.Fatalf("capacity %d, optimum %d: %+v, %+v\n%+v", capacity, want, v, v.Plan, records)
		}
		checkCore(t, records, v.Core, capacity)
	}
}

func checkCore(t *testing.T, records Records, core []int, capacity int64) {
	t.Helper()
	if least(pick(records, core)) <= capacity {
		t.Fatalf("core %v fits into %d\n%+v", core, capacity, records)
	}
	for k := range core {
		rest := append(slices.Clone(core[:k]), core[k+1:]...)
		if len(rest) > 0 && least(pick(records, rest)) > capacity {
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
	records := network(300)
	for i := range records {
		records[i].Last += i % 7
		records[i].Size += int64(i % 13)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	plan, err := Solve(ctx, records, Options{Approach: Offsets, Strategy: Exact})
	if err != nil || plan.Total < plan.LowerBound || !plan.Optimal && !plan.Interrupted {
		t.Errorf("%+v, error %v", plan, err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	v, err := Fit(ctx, records, plan.LowerBound, Options{})
	if err != nil || v.Answer == Misfit || (v.Answer == Fits) != (v.Plan.Total <= plan.LowerBound) {
		t.Errorf("%+v, error %v", v, err)
	}
}

// Parts of the problem that share no position are minimised by themselves, and the one
// that needs most decides.
func TestComponents(t *testing.T) {
	records := Records{
		{First: 5, Last: 6, Size: 4},
		{First: 0, Last: 1, Size: 3},
		{First: 1, Last: 2, Size: 6},
		{First: 6, Last: 9, Size: 8, Align: 8},
		{First: 3, Last: 4, Size: 20},
	}
	list := componentsOf(records, []int64{8, 0, 3, 0, 1})
	want := [][]int{{1, 2}, {4}, {0, 3}}
	for k, c := range list {
		if !slices.Equal(c.rows, want[k]) {
			t.Errorf("component %d has rows %v, want %v", k, c.rows, want[k])
		}
	}
	if list[1].total != 21 || list[1].floor.Bytes != 20 || list[2].step != 4 {
		t.Errorf("%+v %+v", list[1], list[2])
	}
}

// A section is kept when nothing that is held beside it is held with all of it.
func TestSections(t *testing.T) {
	records := Records{
		{First: 0, Last: 9, Size: 1, Gaps: []lifetime.Gap{{First: 4, Last: 5}}},
		{First: 2, Last: 4, Size: 1},
		{First: 5, Last: 5, Size: 1},
		{First: 8, Last: 8, Size: 1},
	}
	spans, count := sectionsOf(records)
	if got, want := fmt.Sprint(spans, count), "[[{0 0} {2 2}] [{0 0}] [{1 1}] [{2 2}]] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The totals of packings of sizes that are all even, but not by four, are sums of them.
func TestReachable(t *testing.T) {
	records := Records{{First: 0, Last: 2, Size: 10}, {First: 0, Last: 2, Size: 14}, {First: 2, Last: 2, Size: 26}}
	for _, c := range []struct{ from, to, want int64 }{
		{24, 50, 24}, {25, 50, 26}, {27, 50, 36}, {41, 50, 50}, {27, 30, 30}, {24, 24, 24},
	} {
		if got := reachableFrom(records, 2, c.from, c.to); got != c.want {
			t.Errorf("from %d to %d: %d, want %d", c.from, c.to, got, c.want)
		}
	}
	records[0].Align = 4
	if got := reachableFrom(records, 2, 25, 50); got != 25 {
		t.Errorf("with an alignment that matters: %d, want 25", got)
	}
}

// What was left out finds room however the rest lies.
func TestPlaceable(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	left := 0
	for n := range 2000 {
		records := small(r)
		for i := range records {
			records[i].Pinned = false
		}
		capacity := LowerBound(Offsets, records) + r.Int64N(20)
		later := placeable(records, stepOf(records), capacity)
		left += len(later)
		offsets, total := make([]int64, len(records)), int64(0)
		for i := range records { // anywhere, even on top of each other
			if room := (capacity - records[i].Size) / stepOf(records); !slices.Contains(later, i) && room > 0 {
				offsets[i] = stepOf(records) * r.Int64N(room+1)
			}
		}
		placeLater(records, offsets, later)
		for _, i := range later {
			total = max(total, offsets[i]+records[i].Size)
			for j, s := range records {
				if j != i && s.Overlaps(records[i]) && offsets[i] < offsets[j]+s.Size && offsets[j] < offsets[i]+records[i].Size {
					t.Fatalf("problem %d: record %d on record %d\n%+v", n, i, j, records)
				}
			}
		}
		if total > capacity {
			t.Fatalf("problem %d: %d bytes, capacity %d\n%+v", n, total, capacity, records)
		}
	}
	if left < 100 {
		t.Errorf("only %d were left out", left)
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
func TestStepOf(t *testing.T) {
	a, b := lifetime.Record{First: 2, Last: 4, Size: 6, Align: 3}, lifetime.Record{First: 2, Last: 5, Size: 12, Align: 8}
	c := lifetime.Record{First: 3, Last: 5, Size: 6, Align: 8}
	for _, records := range []Records{{a, b, c}, {c, b, a}, {b, a, c}} {
		if plan := solve(t, records, Offsets, Exact); stepOf(records) != 1 || plan.Total != least(records) || !plan.Optimal {
			t.Errorf("step %d, %d bytes, want 1 and %d", stepOf(records), plan.Total, least(records))
		}
	}
}
