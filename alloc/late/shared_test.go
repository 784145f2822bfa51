package late

import (
	"context"
	"math/rand"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// lateProblem draws a small problem with any lives, sizes and positions.
func lateProblem(r *rand.Rand) (records []lifetime.Record, knownAt []int) {
	for range 1 + r.Intn(25) {
		first := r.Intn(12)
		at := FromStart
		if r.Intn(2) == 0 {
			at = first - r.Intn(5)
		}
		records = append(records, lifetime.Record{First: first, Last: first + r.Intn(6), Size: r.Int63n(40)})
		knownAt = append(knownAt, at)
	}
	return records, knownAt
}

// TestShared plans random problems with shared objects: the checker accepts the plan, which takes no more
// than the allocator at run time and no less than the bound, and objects are as large as their largest record.
func TestShared(t *testing.T) {
	saved, fallbacks, waves, optimal := 0.0, 0, 0, 0
	for seed := range 1000 {
		records, knownAt := lateProblem(rand.New(rand.NewSource(int64(seed))))
		got, err := Solve(context.Background(), records, knownAt, alloc.Options{Approach: alloc.Shared, Strategy: "greedy-by-size-improved"})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p := got.Plan
		if err := check.Shared(records, p.Objects, p.ObjectSizes, p.Total); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if p.Approach != alloc.Shared || p.Total > got.RunTime || got.Cautious > got.RunTime || p.Total < got.AtOnce.LowerBound || got.Cautious < got.AtOnce.LowerBound {
			t.Errorf("seed %d: %d bytes in waves, %d in cautious ones, %d at run time, a bound of %d", seed, p.Total, got.Cautious, got.RunTime, got.AtOnce.LowerBound)
		}
		last := got.Waves[len(got.Waves)-1]
		if last.Total != p.Total {
			t.Errorf("seed %d: %d bytes after the last wave, %d in the plan", seed, last.Total, p.Total)
		}
		for o, size := range p.ObjectSizes {
			var most int64
			for i, r := range records {
				if p.Objects[i] == o {
					most = max(most, r.Size)
				}
			}
			if size != most {
				t.Errorf("seed %d: object %d has %d bytes, and its largest record %d", seed, o, size, most)
			}
		}
		if p.Winner != boldName {
			fallbacks++
		}
		if len(got.Waves) > 1 {
			waves++
		}
		if p.Optimal {
			optimal++
		}
		saved += float64(got.RunTime-p.Total) / float64(max(got.RunTime, 1))
	}
	t.Logf("waves save %.2f %% of what is taken at run time; %d plans are optimal; %d are of cautious waves", saved/10, optimal, fallbacks)
	if waves < 900 || fallbacks == 0 || saved < 10 {
		t.Error("too few significant problems")
	}
}

// TestSharedWaves checks that a wave looks at nothing that is known only later, and that a record keeps its
// object once it has begun: with other sizes after a position, all records that begin before it have
// the same objects.
func TestSharedWaves(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		records, knownAt := lateProblem(r)
		times := timesOf(knownAt)
		at := times[len(times)-1]
		if at == FromStart {
			continue
		}
		drawn := slices.Clone(records)
		for i := range drawn {
			if knownAt[i] == at && drawn[i].Size > 0 {
				drawn[i].Size = 1 + r.Int63n(80)
			}
		}
		one, other := solvedShared(t, records, knownAt), solvedShared(t, drawn, knownAt)
		for i, rec := range records {
			if rec.First < at && one[i] != other[i] {
				t.Fatalf("seed %d: record %d begins at %d and is in another object because of what is known at %d", seed, i, rec.First, at)
			}
		}
	}
}

// solvedShared returns the objects of bold waves.
func solvedShared(t *testing.T, records []lifetime.Record, knownAt []int) []int {
	t.Helper()
	s := &sharedSolver{records: records, knownAt: knownAt, objects: every(none, len(records))}
	for _, at := range timesOf(knownAt) {
		if err := s.wave(context.Background(), at, true, alloc.Options{Approach: alloc.Shared, Strategy: "greedy-by-size-improved"}); err != nil {
			t.Fatal(err)
		}
	}
	return s.objects
}

// TestSharedAtOnce has all sizes from the start: the only wave is the plan at once, or better.
func TestSharedAtOnce(t *testing.T) {
	for seed := range 200 {
		records, knownAt := lateProblem(rand.New(rand.NewSource(int64(seed))))
		got, err := Solve(context.Background(), records, every(FromStart, len(knownAt)), alloc.Options{Approach: alloc.Shared, Strategy: alloc.Exact})
		if err != nil {
			t.Fatal(err)
		}
		if got.Plan.Total != got.AtOnce.Total || len(got.Waves) != 1 {
			t.Errorf("seed %d: %d bytes in %d waves, %d at once", seed, got.Plan.Total, len(got.Waves), got.AtOnce.Total)
		}
	}
}

// TestServe is an example of the allocator at run time for shared objects.
func TestServe(t *testing.T) {
	records := []lifetime.Record{
		{First: 0, Last: 1, Size: 10},
		{First: 0, Last: 1, Size: 4},
		{First: 1, Last: 1, Size: 0},
		{First: 2, Last: 9, Size: 3},  // the smaller of two
		{First: 3, Last: 4, Size: 12}, // the other one grows
		{First: 4, Last: 9, Size: 1},  // a new one
	}
	objects := every(none, len(records))
	serve(records, objects)
	if got := sizes(records, objects); !slices.Equal(got, []int64{12, 4, 1}) || !slices.Equal(objects, []int{0, 1, none, 1, 0, 2}) {
		t.Error(got, objects)
	}
}
