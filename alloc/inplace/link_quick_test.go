package inplace_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// drawRecords returns records with gaps, of which some are pinned.
func drawRecords(t *rapid.T) (records []lifetime.Record) {
	for range rapid.IntRange(0, 9).Draw(t, "records") {
		r := lifetime.Record{
			First: rapid.IntRange(0, 6).Draw(t, "first"), Size: rapid.Int64Range(0, 9).Draw(t, "size"),
			Align: rapid.SampledFrom([]int64{0, 2, 3}).Draw(t, "align"),
		}
		r.Last = r.First + rapid.IntRange(0, 4).Draw(t, "length")
		if rapid.Bool().Draw(t, "gap") {
			g := lifetime.Gap{First: rapid.IntRange(r.First, r.Last).Draw(t, "from"), Last: r.Last, Lo: rapid.Int64Range(0, r.Size).Draw(t, "lo")}
			g.Hi = rapid.Int64Range(g.Lo, r.Size).Draw(t, "hi")
			r.Gaps = []lifetime.Gap{g}
		}
		if rapid.IntRange(0, 5).Draw(t, "pin") == 0 {
			r.Pinned, r.Offset = true, 6*rapid.Int64Range(0, 3).Draw(t, "offset")
		}
		records = append(records, r)
	}
	return records
}

// TestQuickFit: a quick [alloc.Fit] gives the same answer as the default if both search to the end, and
// never contradicts it otherwise. Its plans are valid.
func TestQuickFit(t *testing.T) {
	answers := map[alloc.Answer]int{}
	property.Until(t, func() bool { return answers[alloc.Fits] > 0 && answers[alloc.Misfit] > 0 }, func(t *rapid.T) {
		records := drawRecords(t)
		capacity := max(0, alloc.LowerBound(alloc.Offsets, records)+rapid.Int64Range(-1, 3).Draw(t, "more"))
		full, err := alloc.Fit(t.Context(), records, capacity, alloc.Options{})
		for _, nodes := range []int64{0, 1, 50} {
			quick, errQuick := alloc.Fit(t.Context(), records, capacity, alloc.Options{Quick: true, SearchNodes: nodes})
			if (err == nil) != (errQuick == nil) {
				t.Fatalf("quick: %v, else: %v", errQuick, err)
			}
			if err != nil {
				return // pins that contradict each other
			}
			answers[quick.Answer]++
			if quick.Answer != full.Answer && (nodes == 0 || quick.Answer != alloc.Unknown) {
				t.Fatalf("with %d nodes it %s, else it %s", nodes, quick.Answer, full.Answer)
			}
			if len(quick.Core) > 0 || (quick.Answer == alloc.Fits) != (quick.Plan.Total <= capacity) || quick.Answer == alloc.Misfit && quick.Proof == (alloc.Proof{}) {
				t.Fatalf("%d bytes of %d, which %s because %q, core %v", quick.Plan.Total, capacity, quick.Answer, quick.Proof, quick.Core)
			}
			if err := check.Offsets(records, quick.Plan.Offsets, quick.Plan.Total); err != nil {
				t.Fatal(err)
			}
		}
	})
}
