package shrink

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

// TestFrontier: the points of each level fall in arena and rise in work, and a budget of just the arena
// of one is met.
func TestFrontier(t *testing.T) {
	long(t)
	models := []*tflite.Model{wide(t, 1), wide(t, 4)}
	if *golden.Audit {
		models = append(models, subjects(t)...)
	}
	tiled := 0
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
				checkStep(t, m, g, &p.Candidate)
				if k > 0 {
					// A model that is not tiled is a point in any case, and tiles may take less work.
					last := &l.Points[k-1]
					less := p.ExtraMACs < last.ExtraMACs && len(p.Stages) > 0 && len(last.Stages) > 0
					if p.Required > last.Required || less {
						t.Errorf("%s --alias %s: point %d is no gain", m.Name, l.Alias, k)
					}
				}
				if len(p.Stages) > 0 {
					tiled++
				}
				if p.Alias != l.Alias || k%3 != 0 && !*golden.Audit {
					continue
				}
				g := goal()
				g.Alias, g.Budget, g.first = l.Alias, p.Required, true // what follows only adds candidates
				if r := run(t, t.Context(), m, g); !r.Met {
					t.Errorf("%s --alias %s: a budget of %d is not met, the arena of a point", m.Name, l.Alias, g.Budget)
				}
			}
		}
	}
	if tiled < 4 {
		t.Errorf("%d points are tiled: too few to tell", tiled)
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
