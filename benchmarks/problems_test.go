package benchmarks

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
)

// capacity is what MiniMalloc's problems are to fit into, in bytes.
const capacity = 1 << 20

// minimal holds the smallest arenas of MiniMalloc's problems in bytes, where they are
// known: each is the problem's load, the most bytes alive at once.
var minimal = map[string]int64{
	"A": capacity, "B": capacity, "C": 1_039_360, "E": capacity, "F": capacity,
	"G": capacity, "H": capacity, "I": capacity, "K": capacity,
}

// open holds the two problems whose minimum is not known, with totals in bytes that a
// search for them has to get down to.
var open = map[string]int64{"D": 1_031_168, "J": 1_035_264}

// names are MiniMalloc's problems.
var names = []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"}

// large are idealloc's problems. The smallest arena of each is its load.
var large = []string{"G_1", "resnet50", "Y_1", "pangu_2.6B", "S_1"}

func minimalloc(t testing.TB, name string) []lifetime.Record {
	return readProblem(t, "minimalloc", name+".1048576.csv")
}

func idealloc(t testing.TB, name string) []lifetime.Record {
	return readProblem(t, "idealloc", name+".csv")
}

// readProblem reads one of the public planner benchmarks.
func readProblem(t testing.TB, folder, file string) []lifetime.Record {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "dsa-benchmarks", folder, file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := problem.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return p.Records
}

// solve is [alloc.Solve], which checks the plan.
func solve(ctx context.Context, t testing.TB, records []lifetime.Record, opt alloc.Options) *alloc.Plan {
	t.Helper()
	plan, err := alloc.Solve(ctx, records, opt)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// reach runs the exact strategy for offsets until a plan is as small as a goal in
// bytes, and no longer than patience.
func reach(t testing.TB, records []lifetime.Record, goal int64) *alloc.Plan {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return solve(ctx, t, records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact, Progress: func(now alloc.Progress) {
		if now.Total <= goal {
			cancel()
		}
	}})
}
