package fit

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestFrontier: the points of each level fall in arena and rise in work, each is what
// its budget leads to, and a budget of just its arena is met. Points of lesser levels are asked
// for again at each level only where time does not matter.
func TestFrontier(t *testing.T) {
	long(t)
	models := []*tflite.Model{wide(t, 1)} // the fastest of those with many points
	if *golden.Audit {
		models = append(models, subjects(t)[:2]...)
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
				if k > 0 && (p.Required >= l.Points[k-1].Required || p.ExtraMACs < l.Points[k-1].ExtraMACs) {
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
					budgets = append(budgets, p.Required)
				}
				for _, budget := range budgets {
					g := goal()
					g.Alias, g.Budget = l.Alias, budget
					r := run(t, t.Context(), m, g)
					best := r.Rungs[r.Best]
					if !r.Met {
						t.Errorf("%s --alias %s: a budget of %d is not met, and the point's arena is %d", m.Name, l.Alias, budget, p.Required)
					}
					if budget == p.Budget && p.Alias == l.Alias && (best.Required != p.Required || best.ExtraMACs != p.ExtraMACs || best.FileBytes != p.FileBytes) {
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

// TestFrontierWithoutPieces: each level has the model in pieces nowhere, with all that its takeovers
// gain, even where there is no time for any search, and a budget of just its arena leads to it.
func TestFrontierWithoutPieces(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	g := goal()
	g.Alias, g.Budget = rules.DiagonalAlias, leastBudget
	s := &surveyor{parent: t.Context(), own: m, base: newFitter(m, g), survey: &Survey{}}
	b := s.base
	if err := b.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.climb(t.Context(), b.plan, b.order, b.cleanUp); err != nil {
		t.Fatal(err)
	}
	if err := s.withoutPieces(t.Context(), rules.Aliases()); err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	gains := 0
	for _, alias := range rules.Aliases() {
		l, err := s.level(over, alias)
		if err != nil || len(l.Points) == 0 {
			t.Fatalf("--alias %s: %+v, %v", alias, l, err)
		}
		s.survey.Levels = append(s.survey.Levels, l)
		p := l.Points[len(l.Points)-1]
		g.Alias, g.Budget = alias, p.Required
		r := run(t, t.Context(), m, g)
		if best := r.Rungs[r.Best]; !r.Met || best.Required != p.Required || best.FileBytes != p.FileBytes || len(best.Stages) > 0 {
			t.Errorf("--alias %s: %d bytes, and %+v for that budget", alias, p.Required, shown(&best))
		}
		if p.Alias == alias {
			gains++
		}
	}
	if gains < 2 {
		t.Errorf("%d levels gain something: too few to tell", gains)
	}
}
