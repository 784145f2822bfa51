package exact

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tflarena/tflarena/alloc/internal/packing"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	csv "github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
)

// BenchmarkWindows looks for a bound above the load in the two of MiniMalloc's problems
// whose minimum is open: it cuts windows of neighbouring sections out of them and asks
// whether each fits into the load of the whole. One that does not would be such a bound.
func BenchmarkWindows(b *testing.B) {
	for _, name := range []string{"D", "J"} {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(b), "dsa-benchmarks", "minimalloc", name+".1048576.csv"))
		if err != nil {
			b.Fatal(err)
		}
		p, err := csv.Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		records := p.Records
		for _, width := range []int{4, 16, 32, 48} {
			b.Run(name+"/"+strconv.Itoa(width), func(b *testing.B) {
				answers := map[problem.Answer]int{}
				for b.Loop() {
					answers = windows(b.Context(), records, width)
				}
				b.ReportMetric(float64(answers[problem.Fits]), "fit")
				b.ReportMetric(float64(answers[problem.Misfit]), "misfit")
				b.ReportMetric(float64(answers[problem.Unknown]), "unknown")
			})
		}
	}
}

// windows counts the answers for windows of so many sections, each begun a quarter of
// that after the last.
func windows(ctx context.Context, records problem.Records, width int) map[problem.Answer]int {
	spans, count := sectionsOf(records)
	load := lifetime.MaxBreadth(records)
	answers := map[problem.Answer]int{}
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
		found := problem.Unknown
		for k := uint64(0); found == problem.Unknown && k < 12; k++ {
			found, _ = search.Run(ctx, load, (&prober{}).order(k), packing.Limits{Nodes: 10_000})
		}
		answers[found]++
	}
	return answers
}
