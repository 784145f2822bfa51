package shrink

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// drawn returns the network of convolutions of a seed, so small that pieces seldom pay.
func drawn(t *testing.T, seed uint64) *tflite.Model {
	t.Helper()
	return convolutions(t, seed, 1)
}

// wide returns the k-th of the networks that need less memory in tiles. The first few are quick to search.
func wide(t *testing.T, k uint64) *tflite.Model {
	t.Helper()
	seeds := []uint64{5, 1, 2, 9, 4, 8, 6, 7, 0, 3}
	return convolutions(t, seeds[k%10]+k/10*10, 8)
}

func convolutions(t *testing.T, seed uint64, times int32) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(network.Convolutions(seed, times), fmt.Sprint("convolutions ", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// long leaves a test out where little time is to be spent.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out: many searches")
	}
}

// some returns networks that need less memory in tiles, at most twelve, beginning with those that are the quickest to search: a
// third of so many, or all with -audit.
func some(t *testing.T, networks int) (list []*tflite.Model) {
	t.Helper()
	if !*golden.Audit {
		networks = (networks + 2) / 3
	}
	for _, k := range []uint64{7, 13, 12, 3, 1, 18, 19, 6, 0, 17, 16, 9}[:networks] {
		list = append(list, wide(t, k))
	}
	return list
}

// subjects are the networks that laws of budgets are tested with: a known one, too, with -audit.
func subjects(t *testing.T) []*tflite.Model {
	list := []*tflite.Model{wide(t, 7), wide(t, 13), wide(t, 3)}
	if *golden.Audit {
		list = append(list, builtin.Model(t, "mobilenet-v1"))
	}
	return list
}

func goal() Goal {
	g := Goal{MaxOverhead: -1, Alias: rules.NoAlias, Device: rules.DefaultDevice()}
	if !*golden.Audit {
		g.Rounds = 1
	}
	return g
}

// ownOf returns the first step of a network.
func ownOf(t *testing.T, m *tflite.Model) *Candidate {
	t.Helper()
	g := goal()
	s, err := newSearch(t.Context(), m, &g)
	if err != nil {
		t.Fatal(err)
	}
	return s.first
}

// TestFitMeetsBudgets: what is called met is, each step of the list has a smaller head than the
// one before, in an arena that is no larger, and the second time the file is the same.
func TestFitMeetsBudgets(t *testing.T) {
	long(t)
	met := 0
	for _, m := range subjects(t) {
		own := ownOf(t, m).Head
		for _, tenths := range []int64{8, 5, 3} {
			g := goal()
			g.HeadBudget = own * tenths / 10
			r := run(t, t.Context(), m, g)
			best := r.Steps[r.Best]
			if r.Met != (best.Head <= g.HeadBudget) {
				t.Errorf("%s within %d: met %t, head %d", m.Name, g.HeadBudget, r.Met, best.Head)
			}
			if r.Met {
				met++
			}
			for i := 1; i < len(r.Steps); i++ {
				if r.Steps[i].Used > r.Steps[i-1].Used {
					t.Errorf("%s within %d: step %q has a larger arena than %q", m.Name, g.HeadBudget, r.Steps[i].Name, r.Steps[i-1].Name)
				}
			}
			if tenths != 5 {
				continue
			}
			if again := run(t, t.Context(), m, g); !bytes.Equal(again.Steps[again.Best].Data, best.Data) {
				t.Errorf("%s within %d: two runs give two files", m.Name, g.HeadBudget)
			}
		}
	}
	if met < 4 {
		t.Errorf("%d budgets were met: too few to tell", met)
	}
}

// TestFitSaysWhy: a budget below everything is not met, and the report names the limit.
func TestFitSaysWhy(t *testing.T) {
	long(t)
	for _, m := range subjects(t) {
		g := goal()
		g.Budget = 1000
		r := run(t, t.Context(), m, g)
		if r.Met || r.Bottleneck == nil || len(r.Frontier) == 0 {
			t.Errorf("%s: met %t, limited by %+v, %d points", m.Name, r.Met, r.Bottleneck, len(r.Frontier))
		}
	}
}

// TestFitOverhead: no more extra work is taken than is allowed.
func TestFitOverhead(t *testing.T) {
	long(t)
	for _, m := range subjects(t) {
		for _, most := range []float64{0, 0.05} {
			g := goal()
			g.HeadBudget, g.MaxOverhead = ownOf(t, m).Head*2/5, most
			r := run(t, t.Context(), m, g)
			if extra := r.Steps[r.Best].ExtraMACs; float64(extra) > most*float64(r.OwnMACs) {
				t.Errorf("%s: %d extra multiply-accumulates of %d", m.Name, extra, r.OwnMACs)
			}
		}
	}
}

// TestFitStops: an end at any time leaves a report of what was found until then.
func TestFitStops(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	for _, after := range []time.Duration{0, 5 * time.Millisecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		r, err := Fit(ctx, m, goal())
		cancel()
		if err != nil || !r.Interrupted && after == 0 || len(r.Steps) == 0 {
			t.Errorf("after %v: %+v, %v", after, r, err)
		}
	}
}
