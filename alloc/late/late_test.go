package late

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// graph draws a network with branches whose sizes depend on data from some operators on: each of
// the depths is the position of a top-k, a suppression of boxes or a new sequence, after which all
// sizes are times a factor that is known there.
func graph(r *rand.Rand, operators int, depths []int) (records []lifetime.Record, knownAt []int) {
	scale, known := 1.0, FromStart
	for op := range operators {
		for _, d := range depths {
			if d == op {
				scale, known = []float64{0.05, 0.3, 1, 2.5}[r.Intn(4)], op
			}
		}
		last := op + 1
		if r.Intn(3) == 0 {
			last += 1 + r.Intn(8) // a branch, or a connection around others
		}
		size := 64 * (1 + int64(scale*float64(r.Intn(2000))*float64(operators-op/2)/float64(operators)))
		at := known
		if r.Intn(4) == 0 { // a size that depends on no data
			size, at = 64*(1+r.Int63n(500)), FromStart
		}
		records = append(records, lifetime.Record{ID: fmt.Sprint(op), First: op, Last: min(last, operators), Size: size, Align: 64})
		knownAt = append(knownAt, at)
		if r.Intn(4) == 0 { // scratch
			records = append(records, lifetime.Record{ID: fmt.Sprint(op, "s"), First: op, Last: op, Size: size / 128 * 64, Align: 64})
			knownAt = append(knownAt, known)
		}
	}
	return records, knownAt
}

// TestGoal measures what waves cost on graphs whose sizes depend on data at several depths.
func TestGoal(t *testing.T) {
	count := 200
	if testing.Short() {
		count = 60
	}
	var sum, worst, cautious float64
	worstSeed, moved, fallbacks, saved := 0, 0, 0, 0.0
	for seed := range count {
		r := rand.New(rand.NewSource(int64(seed)))
		operators := 20 + r.Intn(60)
		var depths []int
		for range 1 + seed%5 {
			depths = append(depths, r.Intn(operators))
		}
		records, knownAt := graph(r, operators, depths)
		got, err := Solve(context.Background(), records, knownAt, alloc.Options{SearchTime: time.Hour, SearchNodes: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		if got.Plan.Total < got.AtOnce.LowerBound {
			t.Errorf("seed %d: %d bytes in waves, a bound of %d", seed, got.Plan.Total, got.AtOnce.LowerBound)
		}
		if got.Plan.Total > got.RunTime || got.Cautious > got.RunTime {
			t.Errorf("seed %d: %d bytes in waves, %d in cautious ones, %d at run time", seed, got.Plan.Total, got.Cautious, got.RunTime)
		}
		if got.Plan.Winner != "waves" {
			fallbacks++
		}
		cost := float64(got.Plan.Total-got.AtOnce.Total) / float64(got.AtOnce.Total)
		saved += float64(got.RunTime-got.Plan.Total) / float64(got.RunTime)
		cautious += float64(got.Cautious-got.AtOnce.Total) / float64(got.AtOnce.Total)
		if sum += cost; cost > worst {
			worst, worstSeed = cost, seed
		}
		for _, w := range got.Waves {
			moved += w.Moved
		}
	}
	t.Logf("waves cost %.2f %% on average, %.2f %% at worst (seed %d), and save %.2f %% of what is taken at run time; %d records moved; cautious ones, which cost %.2f %%, were better %d times",
		100*sum/float64(count), 100*worst, worstSeed, 100*saved/float64(count), moved, 100*cautious/float64(count), fallbacks)
	if sum/float64(count) > 0.05 || cautious/float64(count) > 0.05 {
		t.Errorf("waves cost %.1f %% on average, cautious ones %.1f %%", 100*sum/float64(count), 100*cautious/float64(count))
	}
	if moved == 0 {
		t.Error("no wave moved anything")
	}
	if !testing.Short() && fallbacks == 0 {
		t.Error("no plan needed the cautious waves: there are other graphs to be found")
	}
}

// TestNeverAboveRunTime draws small problems with any lives, sizes, pins and positions: the plan
// in waves never takes more than the allocator at run time does.
func TestNeverAboveRunTime(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 600
	}
	for seed := range count {
		r := rand.New(rand.NewSource(int64(seed)))
		var records []lifetime.Record
		var knownAt []int
		for i := range 1 + r.Intn(25) {
			first := r.Intn(12)
			rec := lifetime.Record{ID: fmt.Sprint(i), First: first, Last: first + r.Intn(6), Size: r.Int63n(40), Align: int64(1) << r.Intn(4)}
			if i == 0 && r.Intn(4) == 0 {
				rec.Pinned, rec.Offset = true, 16*r.Int63n(4)
			}
			at := FromStart
			if r.Intn(2) == 0 && !rec.Pinned {
				at = first - r.Intn(5)
			}
			records, knownAt = append(records, rec), append(knownAt, at)
		}
		got, err := Solve(context.Background(), records, knownAt, alloc.Options{Strategy: alloc.GreedyBySize})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got.Plan.Total > got.RunTime || got.Cautious > got.RunTime || got.Cautious < got.Plan.LowerBound {
			t.Errorf("seed %d: %d bytes in waves, %d in cautious ones, %d at run time", seed, got.Plan.Total, got.Cautious, got.RunTime)
		}
	}
}

// TestWaves checks that a wave looks at nothing that is known only later: sizes that become known
// after a position change no place of what begins before it.
func TestWaves(t *testing.T) {
	for seed := range 40 {
		r := rand.New(rand.NewSource(int64(seed)))
		records, knownAt := graph(r, 30, []int{5 + r.Intn(20)})
		for _, cautious := range []bool{false, true} {
			one := solved(t, records, knownAt, cautious)
			at := one.waves[len(one.waves)-1].At
			drawn := slices.Clone(records)
			for i := range drawn {
				if knownAt[i] != FromStart {
					drawn[i].Size = 64 * (1 + r.Int63n(5000))
				}
			}
			other := solved(t, drawn, knownAt, cautious)
			for i, rec := range records {
				if rec.First < at && one.offsets[i] != other.offsets[i] {
					t.Fatalf("seed %d, cautious %v: record %d begins at %d and lies elsewhere because of what is known at %d", seed, cautious, i, rec.First, at)
				}
			}
		}
	}
}

func solved(t *testing.T, records []lifetime.Record, knownAt []int, cautious bool) *solver {
	t.Helper()
	s := &solver{records: records, knownAt: knownAt, offsets: make([]int64, len(records)), safe: runTime(records), cautious: cautious}
	if err := s.solve(context.Background(), alloc.Options{Approach: alloc.Offsets, Strategy: alloc.GreedyBySize}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestErrors(t *testing.T) {
	records := []lifetime.Record{{First: 3, Last: 4, Size: 8}}
	_, err := Solve(context.Background(), records, []int{4}, alloc.Options{})
	if late := (*RecordError)(nil); !errors.As(err, &late) || late.KnownAt != 4 {
		t.Error(err)
	}
	if _, err := Solve(context.Background(), records, nil, alloc.Options{}); err == nil {
		t.Error("no positions")
	}
	if _, err := Solve(context.Background(), []lifetime.Record{{First: 3, Last: 2}}, []int{0}, alloc.Options{}); err == nil {
		t.Error("an empty life")
	}
}

func TestRunTime(t *testing.T) {
	records := []lifetime.Record{
		{First: 0, Last: 1, Size: 10},
		{First: 0, Last: 9, Size: 5},
		{First: 2, Last: 3, Size: 4},
		{First: 2, Last: 9, Size: 7},
		{First: 5, Last: 5, Size: 0},
		{First: 4, Last: 9, Size: 6, Pinned: true, Offset: 40},
	}
	if got := end(records, runTime(records)); got != 46 {
		t.Error(got)
	}
	if got := end(records[:5], runTime(records[:5])); got != 15+7 {
		t.Error(got)
	}
}

func Example() {
	records := []lifetime.Record{
		{ID: "image", First: 0, Last: 1, Size: 100},
		{ID: "boxes", First: 1, Last: 2, Size: 60},
		{ID: "best", First: 2, Last: 3, Size: 110}, // as many as there are in the image
	}
	r, err := Solve(context.Background(), records, []int{FromStart, FromStart, 2}, alloc.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Plan.Total, "bytes in", len(r.Waves), "waves,", r.AtOnce.Total, "known at once,", r.RunTime, "at run time")
	// Output: 170 bytes in 2 waves, 170 known at once, 270 at run time
}

// TestPinnedLater has a pinned record whose size becomes known when another one is in use: the
// other one has to lie above it from the start.
func TestPinnedLater(t *testing.T) {
	records := []lifetime.Record{{First: 1, Last: 3, Size: 10}, {First: 3, Last: 5, Size: 20, Pinned: true}}
	r, err := Solve(t.Context(), records, []int{FromStart, 2}, alloc.Options{Quick: true})
	if err != nil || r.Plan.Total != 30 || r.Plan.Offsets[0] != 20 {
		t.Error(r, err)
	}
}
