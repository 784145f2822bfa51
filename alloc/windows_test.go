package alloc

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/lifetime"
)

// TestNeighboursReachTheirLoad: records that live in at most three sections always fit
// into their load, so that a bound from pairs or threes of neighbouring sections says no
// more than the load does. Those of all three sections lie at the floor, those of the
// first two on them, those of the last two at the top; what lives in one section only
// has what is left there in one piece.
func TestNeighboursReachTheirLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records Records
		for range rapid.IntRange(1, 14).Draw(t, "records") {
			first := rapid.IntRange(0, 2).Draw(t, "first")
			last := rapid.IntRange(first, 2).Draw(t, "last")
			records = append(records, rec(rapid.Int64Range(1, 50).Draw(t, "size"), first, last))
		}
		plan := solveDrawn(t, records, Offsets, Exact)
		if load := lifetime.MaxBreadth(records); plan.Total != load {
			t.Fatalf("%d bytes, the load is %d: %v", plan.Total, load, records)
		}
	})
}

// BenchmarkWindows looks for a bound above the load in the two of MiniMalloc's problems
// whose minimum is open: it cuts windows of neighbouring sections out of them and asks
// whether each fits into the load of the whole. One that does not would be such a bound.
func BenchmarkWindows(b *testing.B) {
	for _, name := range []string{"D", "J"} {
		records := readProblem(b, "dsa-benchmarks", "minimalloc", name+".1048576.csv")
		for _, width := range []int{4, 16, 32, 48} {
			b.Run(name+"/"+comma(int64(width)), func(b *testing.B) {
				answers := map[packing.Answer]int{}
				for b.Loop() {
					answers = windows(b.Context(), records, width)
				}
				b.ReportMetric(float64(answers[packing.Fits]), "fit")
				b.ReportMetric(float64(answers[packing.Misfit]), "misfit")
				b.ReportMetric(float64(answers[packing.Unknown]), "unknown")
			})
		}
	}
}

// windows counts the answers for windows of so many sections, each begun a quarter of
// that after the last.
func windows(ctx context.Context, records Records, width int) map[packing.Answer]int {
	spans, count := sectionsOf(records)
	load := lifetime.MaxBreadth(records)
	answers := map[packing.Answer]int{}
	for from := 0; from+width <= count; from += max(width/4, 1) {
		var items []packing.Item
		for i, r := range records {
			first, last := max(int(spans[i][0].First), from), min(int(spans[i][0].Last), from+width-1)
			if first <= last {
				span := packing.Span{First: int32(first - from), Last: int32(last - from)}
				items = append(items, packing.Item{Spans: []packing.Span{span}, Size: r.Size, Align: 1, Width: int64(last - first + 1), Row: i})
			}
		}
		search := packing.NewSearch(packing.New(items, width), packing.Without{})
		answer := packing.Unknown
		for k := uint64(0); answer == packing.Unknown && k < 12; k++ {
			answer, _ = search.Run(ctx, load, (&prober{}).order(k), packing.Limits{Nodes: 10_000})
		}
		answers[answer]++
	}
	return answers
}
