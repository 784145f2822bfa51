package disjunctive

import (
	"context"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// drawRecords draws problems with everything there is: windows, pins, alignments that
// do not divide each other, tensors without a byte, and tensors that are alike.
func drawRecords(t *rapid.T, most int) []lifetime.Record {
	aligns := rapid.SampledFrom([][]int64{{0}, {2}, {1, 2, 4}, {2, 3}, {3}}).Draw(t, "aligns")
	size := rapid.SampledFrom([]int64{2, 4, 6}).Draw(t, "largest")
	scale := rapid.SampledFrom([]int64{1, 1, 2}).Draw(t, "scale")
	pins := rapid.Bool().Draw(t, "pins")
	gaps := rapid.IntRange(0, 3).Draw(t, "gaps")
	var records []lifetime.Record
	for range rapid.IntRange(0, most).Draw(t, "n") {
		if len(records) > 0 && rapid.IntRange(0, 4).Draw(t, "again") == 0 {
			r := records[len(records)-1]
			if !r.Pinned {
				r.Align = rapid.SampledFrom(aligns).Draw(t, "another align")
			}
			records = append(records, r)
			continue
		}
		r := lifetime.Record{
			First: rapid.IntRange(-1, 3).Draw(t, "first"),
			Size:  scale * rapid.Int64Range(0, size).Draw(t, "size"),
			Align: rapid.SampledFrom(aligns).Draw(t, "align"),
		}
		r.Last = r.First + rapid.IntRange(0, 3).Draw(t, "length")
		for p := r.First; p <= r.Last && gaps > 0; p++ {
			if rapid.IntRange(0, 3).Draw(t, "gap") >= gaps {
				continue
			}
			g := lifetime.Gap{First: p, Last: rapid.IntRange(p, r.Last).Draw(t, "gap's last")}
			g.Lo = rapid.Int64Range(0, r.Size).Draw(t, "lo")
			g.Hi = rapid.Int64Range(g.Lo, r.Size).Draw(t, "hi")
			r.Gaps = append(r.Gaps, g)
			p = g.Last
		}
		if pins && rapid.IntRange(0, 3).Draw(t, "pin") == 0 {
			r.Pinned, r.Offset = true, r.Alignment()*rapid.Int64Range(0, 4).Draw(t, "offset")
		}
		records = append(records, r)
	}
	return records
}

// fits tries all offsets, and lets the checker judge.
func fits(records []lifetime.Record, capacity int64) bool {
	offsets := make([]int64, len(records))
	var place func(i int) bool
	place = func(i int) bool {
		if i > 0 && check.Offsets(records[:i], offsets[:i], totalOf(records[:i], offsets)) != nil {
			return false
		}
		if i == len(records) {
			return true
		}
		r := records[i]
		switch {
		case r.Pinned:
			offsets[i] = r.Offset
			return (r.Size == 0 || r.Offset+r.Size <= capacity) && place(i+1)
		case r.Size == 0:
			offsets[i] = 0
			return place(i + 1)
		}
		for offsets[i] = 0; offsets[i]+r.Size <= capacity; offsets[i] += r.Alignment() {
			if place(i + 1) {
				return true
			}
		}
		return false
	}
	return capacity >= 0 && place(0)
}

// checkFit compares an answer with the truth, and a plan with the laws.
func checkFit(t interface {
	Helper()
	Fatalf(string, ...any)
}, records []lifetime.Record, capacity int64, got Result, want bool,
) {
	t.Helper()
	switch {
	case got.Answer != problem.Fits && got.Answer != problem.Misfit:
		t.Fatalf("verdict %v for %+v in %d bytes", got.Answer, records, capacity)
	case (got.Answer == problem.Fits) != want:
		t.Fatalf("verdict %v for %+v in %d bytes", got.Answer, records, capacity)
	case want:
		total := totalOf(records, got.Offsets)
		if err := check.Offsets(records, got.Offsets, total); err != nil || total > capacity {
			t.Fatalf("%d bytes of %d: %v\n%+v\n%v", total, capacity, err, records, got.Offsets)
		}
	}
}

func TestFitAgreesWithAllOffsets(t *testing.T) {
	verdicts := map[problem.Answer]int{}
	property.Until(t, func() bool { return verdicts[problem.Fits] > 0 && verdicts[problem.Misfit] > 0 }, func(t *rapid.T) {
		records := drawRecords(t, 5)
		capacity := rapid.Int64Range(-1, 12).Draw(t, "capacity")
		got := Fit(context.Background(), records, capacity, 0)
		checkFit(t, records, capacity, got, fits(records, capacity))
		verdicts[got.Answer]++
	})
}

// TestFitAgreesOnManyProblems goes through the same problems at each run, every
// capacity up to the first that suffices.
func TestFitAgreesOnManyProblems(t *testing.T) {
	problems := rapid.Custom(func(t *rapid.T) []lifetime.Record { return drawRecords(t, 4) })
	for seed := range 2000 {
		records := problems.Example(seed)
		for capacity := range int64(11) {
			got := Fit(context.Background(), records, capacity, 0)
			want := fits(records, capacity)
			checkFit(t, records, capacity, got, want)
			if want {
				break
			}
		}
	}
}

// TestMinimiseAgreesWithAllOffsets starts from what all records need end to end.
func TestMinimiseAgreesWithAllOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t, 5)
		upper := rapid.Int64Range(0, 14).Draw(t, "upper")
		optimum := int64(0)
		for optimum < upper && !fits(records, optimum) {
			optimum++
		}
		lower := rapid.Int64Range(0, optimum).Draw(t, "lower")
		calls, last := 0, upper
		best := Minimise(context.Background(), records, lower, upper, 0, func(offsets []int64, total int64) {
			calls++
			if total >= last || check.Offsets(records, offsets, total) != nil {
				t.Fatalf("a plan of %d bytes after one of %d", total, last)
			}
			last = total
		})
		if !best.Proven || best.Total != optimum || best.Total != last || (best.Offsets == nil) != (calls == 0) {
			t.Fatalf("got %+v after %d plans, the last of %d bytes; the optimum is %d\n%+v", best, calls, last, optimum, records)
		}
		if best.Offsets != nil && check.Offsets(records, best.Offsets, best.Total) != nil {
			t.Fatalf("a wrong plan: %+v", best)
		}
	})
}

// TestInsideAWindow needs a tensor within the window of another, which no order of
// tensors by offset can say.
func TestInsideAWindow(t *testing.T) {
	ring := lifetime.Record{Last: 9, Size: 10, Gaps: []lifetime.Gap{{First: 2, Last: 3, Lo: 0, Hi: 2}, {First: 4, Last: 5, Lo: 8, Hi: 10}}}
	records := []lifetime.Record{ring, {First: 2, Last: 5, Size: 6}}
	if got := Fit(context.Background(), records, 10, 0); got.Answer != problem.Fits || got.Offsets[1] != 2 {
		t.Errorf("got %+v, want offset 2", got)
	}
	records[1].Size = 7
	if got := Fit(context.Background(), records, 10, 0); got.Answer != problem.Misfit {
		t.Errorf("got %+v, want no", got)
	}
}

func TestFitStops(t *testing.T) {
	records := hard(20)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got := Fit(ended, records, 1<<40, 0); got.Answer != problem.Unknown || got.Offsets != nil {
		t.Errorf("without time: %v", got.Answer)
	}
	if got := Fit(context.Background(), records, 1<<40, 3); got.Answer != problem.Unknown || got.Nodes != 3 {
		t.Errorf("with 3 nodes: %v after %d", got.Answer, got.Nodes)
	}
	best := Minimise(context.Background(), records, 0, 1<<40, 500, nil)
	if best.Proven || best.Nodes > 500 {
		t.Errorf("with 500 nodes: %+v", best)
	}
	many := make([]lifetime.Record, MaxRecords+1)
	for i := range many {
		many[i].Size = 1
	}
	if got := Fit(context.Background(), many, 1<<40, 0); got.Answer != problem.Unknown {
		t.Errorf("with %d records: %v", len(many), got.Answer)
	}
	if got := Fit(context.Background(), many[1:], MaxRecords, 0); got.Answer != problem.Fits {
		t.Errorf("with %d records: %v", MaxRecords, got.Answer)
	}
	holed := lifetime.Record{Last: 3 * maxPieces, Size: 2}
	for p := range maxPieces {
		holed.Gaps = append(holed.Gaps, lifetime.Gap{First: 2 * p, Last: 2 * p})
	}
	if got := Fit(context.Background(), []lifetime.Record{holed}, 2, 0); got.Answer != problem.Unknown {
		t.Errorf("with %d gaps: %v", maxPieces, got.Answer)
	}
}

// TestFarOut goes to the ends of what records may say.
func TestFarOut(t *testing.T) {
	const most = lifetime.MaxTotal
	far := []lifetime.Record{
		{Last: 1, Size: most / 2, Align: most / 4},
		{Last: 1, Size: 3, Pinned: true, Offset: most},
		{Last: 1, Size: 1, Align: most / 8},
	}
	if err := lifetime.CheckRecords(far); err != nil {
		t.Fatal(err)
	}
	for _, capacity := range []int64{most + 3, 2 * most, 1<<63 - 1} {
		if got := Fit(context.Background(), far, capacity, 0); got.Answer != problem.Fits || check.Offsets(far, got.Offsets, totalOf(far, got.Offsets)) != nil {
			t.Errorf("%d bytes: %+v", capacity, got)
		}
	}
	if got := Fit(context.Background(), far, most+2, 0); got.Answer != problem.Misfit {
		t.Errorf("one byte less: %v", got.Answer)
	}
}

// hard returns n records that overlap much, with odd sizes and windows: the same ones
// at each call.
func hard(n int) []lifetime.Record {
	records := make([]lifetime.Record, n)
	state := uint64(1)
	next := func(below uint64) int64 {
		state = state*6364136223846793005 + 1442695040888963407
		return int64(state >> 33 % below)
	}
	for i := range records {
		first := int(next(uint64(n)))
		r := lifetime.Record{First: first, Last: first + int(next(uint64(n)/2)), Size: 5 + next(60), Align: 1}
		if r.Last > r.First+2 && i%2 == 0 {
			g := lifetime.Gap{First: r.First + 1, Last: r.Last - 1}
			g.Lo = next(uint64(r.Size))
			g.Hi = g.Lo + next(uint64(r.Size-g.Lo)+1)
			r.Gaps = append(r.Gaps, g)
		}
		records[i] = r
	}
	return records
}

// BenchmarkMinimise looks for the optimum with a limit on nodes, from the sum of the
// sizes downwards.
func BenchmarkMinimise(b *testing.B) {
	for _, n := range []int{12, 16, 24, 32} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			records := hard(n)
			var best Best
			for b.Loop() {
				best = Minimise(context.Background(), records, lifetime.MaxBreadth(records), lifetime.Naive(records), 10_000, nil)
			}
			b.ReportMetric(float64(best.Total), "bytes")
			b.ReportMetric(float64(best.Nodes), "nodes")
		})
	}
}
