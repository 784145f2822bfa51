package tiling_test

import (
	"errors"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// cuts are the ways in which the networks of TestRandom are cut, by their seeds.
var cuts = []tiling.Options{
	{OnChip: 1 << 20},
	{OnChip: 1 << 20, Most: 1},
	{OnChip: 1 << 20, Most: 1, Cascade: 8},
	{OnChip: 1 << 20, Most: 2, Cascade: 3, Semantics: lifetime.Atomic},
	{OnChip: 1 << 20, Cut: tiling.Pixels, Most: 1, Cascade: 4},
	{OnChip: 1 << 20, Cut: tiling.Pixels},
	{OnChip: 2000, Cascade: 8},
	{OnChip: 700},
	{OnChip: 500, Cut: tiling.Pixels, Cascade: 8},
}

// TestRandom cuts random networks: no step needs more on chip than there is, every output is
// written whole and once, plans pass the checker that follows the bytes, and cascades never
// raise the peak.
func TestRandom(t *testing.T) {
	draws := 200
	if *golden.Audit {
		draws = 10_000
	}
	small, cascades, channels := 0, 0, 0
	for seed := range draws {
		data := network.Convolutions(uint64(seed), int32(1+seed%3))
		if seed%3 == 2 {
			data = network.Draw(uint64(seed))
		}
		m, err := tflite.Parse(data, "drawn")
		if err != nil {
			t.Fatal(err)
		}
		o := cuts[seed%len(cuts)]
		s, err := tiling.New(t.Context(), m, 0, o)
		if e := (*tiling.SizeError)(nil); errors.As(err, &e) {
			small++
			checkLeast(t, m, o, e)
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, r := range s.Runs {
			if r.OnChip > o.OnChip {
				t.Errorf("seed %d: operators %d to %d need %d bytes on chip", seed, r.First, r.Last, r.OnChip)
			}
			if r.Last > r.First {
				cascades++
				checkCascade(t, m, s, r)
			}
			if r.Tile == tiling.Channels {
				channels++
			}
		}
		checkWritten(t, s)
		checkPlan(t, s, o)
		checkPainted(t, m, s, o.Semantics)
		plain := o
		plain.Cascade = 0
		p, err := tiling.New(t.Context(), m, 0, plain)
		if err != nil || slices.Max(s.Live(o.Semantics)) > slices.Max(p.Live(o.Semantics)) {
			t.Errorf("seed %d: cascades raise the peak (%v)", seed, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if small == 0 || cascades == 0 || channels == 0 {
		t.Errorf("%d chips too small, %d cascades, %d outputs cut along channels: the draws are too easy", small, cascades, channels)
	}
}

// checkLeast: with the size that the error names, the operator is no obstacle any more, and with a
// byte less it is.
func checkLeast(t *testing.T, m *tflite.Model, o tiling.Options, e *tiling.SizeError) {
	t.Helper()
	var other *tiling.SizeError
	o.OnChip = e.Least - 1
	if _, err := tiling.New(t.Context(), m, 0, o); !errors.As(err, &other) || other.Operator > e.Operator {
		t.Errorf("%v, but with a byte less: %v", e, err)
	}
	o.OnChip = e.Least
	if _, err := tiling.New(t.Context(), m, 0, o); errors.As(err, &other) && other.Operator <= e.Operator {
		t.Errorf("%v, and then %v", e, err)
	}
}

// checkWritten: the steps write each byte of a tensor exactly once.
func checkWritten(t *testing.T, s *tiling.Schedule) {
	t.Helper()
	for _, x := range s.Tensors {
		times := make([]int, x.Size)
		for _, a := range x.Accesses {
			for k := a.Lo; a.Write && k < a.Hi; k++ {
				times[k]++
			}
		}
		if x.Whole == nil && slices.ContainsFunc(times, func(n int) bool { return n != 1 }) {
			t.Errorf("tensor %s: not every byte is written once", x.ID)
		}
	}
}

// checkPlan: there is a plan, the checker agrees to it, the bound of the problem is the peak of
// the schedule, and it is no larger than a plan of whole tensors that pass through all steps.
func checkPlan(t *testing.T, s *tiling.Schedule, o tiling.Options) {
	t.Helper()
	p := tiles.Problem{Tensors: s.Tensors, Semantics: o.Semantics}
	plan, err := tiles.Solve(t.Context(), p, alloc.Options{Strategy: alloc.Auto})
	if err != nil {
		t.Fatal(err)
	}
	if err := tiles.Check(p, plan.Offsets, plan.Total); err != nil {
		t.Error(err)
	}
	records, err := tiles.Records(p)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := alloc.Solve(t.Context(), records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Auto})
	if err != nil || plan.Total > whole.Total {
		t.Errorf("%d bytes with tiles, %d without (%v)", plan.Total, whole.Total, err)
	}
	if live := slices.Max(s.Live(o.Semantics)); plan.Total < live {
		t.Errorf("a plan of %d bytes, and %d are in use", plan.Total, live)
	}
}
