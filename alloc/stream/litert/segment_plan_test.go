package litert

import (
	"errors"
	"testing"
	"time"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

var rates = Rates{MACs: 5e9, Bytes: 100e6}

// TestPlanSegments plans a network in several budgets: every plan holds at most its budget at any time, in
// segments that have all operators, and more memory is never slower by much.
func TestPlanSegments(t *testing.T) {
	m := builtin.Model(t, "squeezenet-1.1")
	_, err := PlanSegments(t.Context(), m, rates, 1<<20, false, stream.Options{})
	small := (*stream.InfeasibleError)(nil)
	if !errors.As(err, &small) || small.Least <= 1<<20 || small.Proven {
		t.Fatal(err)
	}
	for _, budget := range []int64{small.Least, small.Least * 5 / 4, 64 << 20} {
		p, err := PlanSegments(t.Context(), m, rates, budget, false, stream.Options{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for _, s := range p.Segments {
			if s.First != next {
				t.Errorf("operator %d is missing or comes twice", next)
			}
			next = s.Last + 1
		}
		if next != len(m.Subgraphs[0].Operators) {
			t.Errorf("the segments end at operator %d", next)
		}
		if held := most(p); held > budget || held != p.Held() || p.Least.Bytes != small.Least {
			t.Errorf("%d bytes are held, %d by the plan, in a budget of %d", held, p.Held(), budget)
		}
		compareFiles(t, p)
	}
	if _, err := PlanSegments(t.Context(), m, rates, small.Least-1, false, stream.Options{}); !errors.As(err, &small) {
		t.Errorf("below the least budget: %v", err)
	}
}

// compareFiles makes the files of a plan: they are as large as was measured, and LiteRT needs as much for each as was
// counted without it.
func compareFiles(t *testing.T, p *SegmentPlan) {
	t.Helper()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		data, err := p.Data(i)
		if err != nil || int64(len(data)) != f.Bytes || f.Bytes != p.Segments[i].Bytes || !IsSegmentFile(f.Name) {
			t.Fatalf("%+v, %d bytes: %v", f, len(data), err)
		}
		m, err := tflite.Parse(data, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes, err := workingBytes(t.Context(), m, p.Delegate); err != nil || bytes != p.Segments[i].Working {
			t.Errorf("%s works in %d bytes, counted %d: %v", f.Name, bytes, p.Segments[i].Working, err)
		}
	}
}

// most returns the most bytes held in any step, counted from the plan: a segment from the step after
// the one that its load waits for.
func most(p *SegmentPlan) (most int64) {
	n := len(p.Network.Layers)
	held := make([]int64, n)
	for i, t := range p.Network.Tensors {
		first, last := t.First, t.Last
		switch {
		case p.Stream.Resident[i]:
			first, last = 0, n-1
		case t.Kind == network.Weight:
			first = p.Stream.Waits[t.First] + 1
		}
		for step := first; step <= last; step++ {
			held[step] += t.Size
		}
	}
	for _, bytes := range held {
		most = max(most, bytes)
	}
	return most
}

// TestRefused: models without segments.
func TestRefused(t *testing.T) {
	m := builtin.Model(t, "squeezenet-1.1")
	m.Subgraphs[0].Operators[3].Subgraphs = []int{0}
	if _, err := PlanSegments(t.Context(), m, rates, 1<<30, false, stream.Options{}); err == nil {
		t.Error("a model with calls is cut")
	}
}

// TestPlanSegmentsLarge plans a model of more weights than a file can have. They are nowhere in memory, since nothing looks at them.
func TestPlanSegmentsLarge(t *testing.T) {
	m := builtin.Model(t, "squeezenet-1.1")
	s := &m.Subgraphs[0]
	zeros := make([]byte, 1200<<20)
	for _, i := range []int{0, len(s.Operators) - 6} {
		k := slices.IndexFunc(s.Operators[i:], func(o tflite.Operator) bool { return o.Name == "CONV_2D" })
		m.Buffers[s.Tensors[s.Operators[i+k].Inputs[1]].Buffer].Data = zeros
	}
	p, err := PlanSegments(t.Context(), m, rates, 4<<30, false, stream.Options{Quick: true})
	if err != nil || len(p.Segments) < 2 || p.Segments[0].Bytes < int64(len(zeros)) {
		t.Fatal(p, err)
	}
	m.Buffers[s.Tensors[s.Operators[0].Inputs[1]].Buffer].Data = make([]byte, 1<<31-1)
	large := (*segment.LargeError)(nil)
	if _, err := PlanSegments(t.Context(), m, rates, 4<<30, false, stream.Options{Quick: true}); !errors.As(err, &large) || large.First != 0 {
		t.Error(err)
	}
}

// TestLeastRegret compares the choice of a cut with its definition, and for one budget with the fastest.
func TestLeastRegret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		budgets := rapid.IntRange(1, 4).Draw(t, "budgets")
		times := rapid.SliceOfN(rapid.Int64Range(1, 50), budgets, budgets)
		var list []*candidate
		for range rapid.IntRange(1, 6).Draw(t, "cuts") {
			c := &candidate{}
			for _, ms := range times.Draw(t, "latencies") {
				c.latencies = append(c.latencies, time.Duration(ms)*time.Millisecond)
			}
			list = append(list, c)
		}
		regret := func(c *candidate) (worst float64) {
			for i, latency := range c.latencies {
				for _, other := range list {
					worst = max(worst, latency.Seconds()/other.latencies[i].Seconds())
				}
			}
			return worst
		}
		best := leastRegret(list)
		for _, c := range list {
			if regret(c) < regret(best)*(1-1e-9) || budgets == 1 && c.latencies[0] < best.latencies[0] {
				t.Fatalf("%v is chosen, and %v loses less", best.latencies, c.latencies)
			}
		}
	})
}
