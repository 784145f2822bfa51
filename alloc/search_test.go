package alloc

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/greedy"
	"github.com/tflarena/tflarena/internal/testkit/reference"
)

func TestSearchesAreNoWorseThanTheirStarts(t *testing.T) {
	for search, start := range searches {
		t.Run(search, rapid.MakeCheck(func(t *rapid.T) {
			records := reference.DrawShape(t, true).Draw(t, 0)
			from, to := solveDrawn(t, records, Offsets, start), solveDrawn(t, records, Offsets, search)
			if to.Total > from.Total {
				t.Fatalf("from %d to %d", from.Total, to.Total)
			}
		}))
	}
}

// TestSearchesFindOptima compares with trying every order. A search proves nothing, so a few misses are
// allowed; currently there are none.
func TestSearchesFindOptima(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	missed, improved := map[string]int{}, map[string]int{}
	const problems = 150
	for range problems {
		var records Records
		for range 7 {
			first := random.IntN(7)
			records = append(records, rec(1+random.Int64N(9), first, first+random.IntN(4)))
		}
		best := bestOffsets(records)
		for search, start := range searches {
			total := solve(t, records, Offsets, search).Total
			if total > best {
				missed[search]++
			}
			if total < solve(t, records, Offsets, start).Total {
				improved[search]++
			}
		}
	}
	t.Logf("missed %v, improved %v of %d", missed, improved, problems)
	if missed["hill-climb"] > problems/20 || missed["strip-packing-search"] > problems/20 || improved["hill-climb"] == 0 {
		t.Errorf("of %d optima missed %v; improved %v", problems, missed, improved)
	}
}

// TestSearchesStopWithTheContext: an interrupted search returns the best plan so far.
func TestSearchesStopWithTheContext(t *testing.T) {
	records := readProblem(t, "dsa-benchmarks", "minimalloc", "A.1048576.csv")
	for search, start := range searches {
		last := solve(t, records, Offsets, start).Total
		for _, left := range []int{8, 60, 400, 1 << 30} {
			ctx := &countdown{context.Background(), left}
			plan, err := Solve(ctx, records, Options{Approach: Offsets, Strategy: search})
			if err != nil || plan.Interrupted != (left < 1<<30) || plan.Total > last {
				t.Fatalf("%s after %d: %v; before %d; plan %+v", search, left, err, last, plan)
			}
			last = plan.Total
		}
		if at := solve(t, records, Offsets, start).Total; last >= at {
			t.Errorf("%s does not improve on %d", search, at)
		}
	}
}

// TestSearchesLeaveLargeProblemsAlone, for which a step takes too long.
func TestSearchesLeaveLargeProblemsAlone(t *testing.T) {
	large := network(greedy.MaxClimbRecords + 1)
	if diff := cmp.Diff(solve(t, large, Offsets, "by-urgency").Offsets, solve(t, large, Offsets, "hill-climb").Offsets); diff != "" {
		t.Error("hill-climb searches among so many")
	}
}
