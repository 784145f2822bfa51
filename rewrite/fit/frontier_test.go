package fit

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/builtin"
	"github.com/tflarena/tflarena/internal/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestFrontier: the points of each level fall in arena and rise in work, each is what
// its budget leads to, and a budget of just its arena is met. Points of lesser levels are asked
// for again at each level only where time does not matter.
func TestFrontier(t *testing.T) {
	long(t)
	models := subjects(t)[:2]
	if !*golden.Audit {
		models = models[1:]
	}
	pieces := 0
	for _, m := range models {
		g := goal()
		g.Alias = rules.DiagonalAlias
		s, err := Frontier(t.Context(), m, g)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Levels) != len(rules.Aliases()) || s.Interrupted {
			t.Fatalf("%s: %d levels, interrupted %t", m.Name, len(s.Levels), s.Interrupted)
		}
		for i, l := range s.Levels {
			if l.Alias != rules.Aliases()[i] || len(l.Points) == 0 || l.Interrupted {
				t.Fatalf("%s: level %+v", m.Name, l)
			}
			for k, p := range l.Points {
				if k > 0 && (p.Smallest >= l.Points[k-1].Smallest || p.ExtraMACs < l.Points[k-1].ExtraMACs) {
					t.Errorf("%s --alias %s: point %d is no gain", m.Name, l.Alias, k)
				}
				if len(p.Stages) > 0 {
					pieces++
				}
				if p.Alias != l.Alias && !*golden.Audit {
					continue
				}
				budgets := []int64{p.Budget}
				if *golden.Audit || k%3 == 0 {
					budgets = append(budgets, p.Smallest)
				}
				for _, budget := range budgets {
					g := goal()
					g.Alias, g.Arena = l.Alias, budget
					r := run(t, t.Context(), m, g)
					best := r.Rungs[r.Best]
					if !r.Met {
						t.Errorf("%s --alias %s: a budget of %d is not met, and the point's arena is %d", m.Name, l.Alias, budget, p.Smallest)
					}
					if budget == p.Budget && p.Alias == l.Alias && (best.Smallest != p.Smallest || best.ExtraMACs != p.ExtraMACs || best.FileBytes != p.FileBytes) {
						t.Errorf("%s --alias %s --arena %d: not the point", m.Name, l.Alias, budget)
					}
				}
			}
		}
	}
	if pieces < 4 {
		t.Errorf("%d points are in pieces: too few to tell", pieces)
	}
}

// TestFrontierAlias: no level is above the goal's, and no point asks for more work than may be.
func TestFrontierAlias(t *testing.T) {
	m := wide(t, 3)
	g := goal()
	g.Alias, g.MaxOverhead = rules.SafeAlias, 0
	s, err := Frontier(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Levels); n != 2 || s.Levels[n-1].Alias != rules.SafeAlias {
		t.Errorf("levels %+v", s.Levels)
	}
	for _, l := range s.Levels {
		for _, p := range l.Points {
			if p.ExtraMACs > 0 {
				t.Errorf("--alias %s: %d extra multiply-accumulates", l.Alias, p.ExtraMACs)
			}
		}
	}
}

// TestFrontierStops: with little time each level has its share, and what was cut off is said.
func TestFrontierStops(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	g := goal()
	g.Alias = rules.Aliases()[len(rules.Aliases())-1]
	for _, after := range []time.Duration{time.Nanosecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		s, err := Frontier(ctx, m, g)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil || !s.Interrupted || len(s.Levels) != len(rules.Aliases()) || !s.Levels[0].Interrupted {
			t.Errorf("after %v: %+v, %v", after, s, err)
		}
	}
}
