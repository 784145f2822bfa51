package strip

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// TestPackerMatchesTheDefinition with any ranking, run after run; a limit only makes
// it give up, and only above the limit.
func TestPackerMatchesTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := reference.DrawShape(t, false).Draw(t, 1)
		if len(records) == 0 {
			return
		}
		k := newPacker(records)
		for range 3 {
			order := rapid.Permutation(problem.Identity(len(records))).Draw(t, "order")
			rank := make([]int, len(order))
			for at, i := range order {
				rank[i] = at
			}
			want := reference.Strip(records, func(i, j int) bool { return rank[i] < rank[j] })
			total, err := k.pack(context.Background(), order, unlimited)
			if diff := cmp.Diff(want, k.offsets); diff != "" || err != nil || total != reference.Total(records, want) {
				t.Fatalf("total %d, %v, definition - packer +:\n%s", total, err, diff)
			}
			limit := total + rapid.Int64Range(-5, 5).Draw(t, "limit")
			limited, _ := k.pack(context.Background(), order, limit)
			if total <= limit && limited != total || total > limit && limited <= limit {
				t.Fatalf("total %d, with limit %d it is %d", total, limit, limited)
			}
		}
	})
}

func TestLog2(t *testing.T) {
	for x, want := range map[uint64]int64{1: 0, 2: 1 << 12, 3: 6492, 10: 13606, 1 << 63: 63 << 12, 1<<64 - 1: 1<<18 - 1} {
		if got := log2(x); got != want {
			t.Errorf("log2(%d) = %d, want %d", x, got, want)
		}
	}
}

func TestCompareAreas(t *testing.T) {
	most := lifetime.Record{First: math.MinInt / 2, Last: math.MaxInt / 2, Size: lifetime.MaxTotal}
	rising := problem.Records{
		{Size: 1},
		{Size: 3},
		{Size: 2, Last: 1},
		{Size: 1 << 60, Last: 1 << 29},
		most,
	}
	for i, r := range rising {
		for j, s := range rising {
			if got := compareAreas(r, s); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("areas %d and %d compare as %d", i, j, got)
			}
		}
	}
}
