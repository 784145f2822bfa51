package residency

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestLatency compares the latency of each choice of residents with the least of all first steps.
func TestLatency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 6)
		budget := streaming.Budget(t, net) &^ (network.Alignment - 1)
		e := NewEvaluator(NewProblem(net))
		type key [6]bool
		least := map[key]time.Duration{}
		streaming.Each(net, func(p streaming.Plan) {
			var k key
			copy(k[:], p.Resident)
			old, seen := least[k]
			if !seen {
				old = Never
			}
			if streaming.Fits(net, p, budget) {
				old = min(old, p.Latency)
			}
			least[k] = old
		})
		for k, want := range least {
			if got := e.Latency(k[:len(net.Layers)], budget); got != want {
				t.Fatalf("residents %v: latency %v, want %v", k, got, want)
			}
		}
	})
}

// TestLate wants plans that are as fast as asked and hold memory in no step more than the earliest ones.
func TestLate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 12)
		budget := streaming.Budget(t, net)
		p := NewProblem(net)
		s := NewSearch(p, budget, 1, false)
		s.Improve(context.Background(), 300, 0)
		c := s.Best()
		if c.Latency == Never {
			return
		}
		e := NewEvaluator(p)
		e.Latency(c.Resident, budget)
		target := c.Latency + time.Duration(rapid.IntRange(0, 5).Draw(t, "more"))*time.Millisecond
		first := e.Late(c.Resident, target)
		for i := range first {
			if !c.Resident[i] && (first[i] < e.First[i] || first[i] > i) {
				t.Fatalf("layer %d begins with step %d, the earliest is %d", i, first[i], e.First[i])
			}
		}
		if got := followed(net, p, c.Resident, first); got > target {
			t.Fatalf("latency %v, asked for %v", got, target)
		}
	})
}

// followed returns the latency with given first steps.
func followed(net *network.Network, p *Problem, resident []bool, first []int) time.Duration {
	loads, waits := make([]time.Duration, len(first)), make([]int, len(first))
	for i := range first {
		if i > 0 && !resident[i] {
			loads[i], waits[i] = p.Load[i], max(first[i]-1, 0)
		}
	}
	return network.Simulate(net, loads, waits).Latency()
}

// TestImprove wants the same choice from the same seed, with the latency that it says.
func TestImprove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 16)
		budget := streaming.Budget(t, net)
		p := NewProblem(net)
		searched := func(nodes int64) time.Duration {
			s := NewSearch(p, budget, 7, false)
			s.Grow(context.Background(), 1000)
			s.Improve(context.Background(), nodes, 0)
			if got := NewEvaluator(p).Latency(s.Best().Resident, budget); got != s.Best().Latency {
				t.Fatalf("latency %v, but the best choice has %v", s.Best().Latency, got)
			}
			return s.Best().Latency
		}
		if a, b := searched(2000), searched(2000); a != b {
			t.Fatalf("two searches found %v and %v", a, b)
		}
	})
}
