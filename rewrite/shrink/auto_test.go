package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestAutoTakesTheLeastLevel: with a budget it is the first level that meets it, and where none
// does, the one that comes nearest.
func TestAutoTakesTheLeastLevel(t *testing.T) {
	m := wide(t, 2)
	g := goal()
	g.Alias = rules.DiagonalAlias
	var arenas []int64
	for _, level := range rules.Aliases() {
		g := g
		g.Alias, g.Budget = level, 1
		r := run(t, t.Context(), m, g)
		arenas = append(arenas, r.Steps[r.Best].Required)
	}
	least := arenas[0]
	for k, budget := range arenas {
		if least = min(least, budget); k%2 > 0 && !*golden.Audit {
			continue
		}
		g.Budget = budget
		r, level, err := Auto(t.Context(), m, g)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Met || r.Steps[r.Best].Required > budget {
			t.Errorf("%d bytes: met %v, %d bytes with --alias %s", budget, r.Met, r.Steps[r.Best].Required, level)
		}
		for _, lesser := range level.UpTo() {
			goal := g
			goal.Alias = lesser
			if lesser != level && run(t, t.Context(), m, goal).Met {
				t.Errorf("level %d, %d bytes: --alias %s, although %s meets the budget", k, budget, level, lesser)
			}
		}
	}
	g.Budget = 1
	r, _, err := Auto(t.Context(), m, g)
	if err != nil || r.Met || r.Steps[r.Best].Required != least {
		t.Errorf("%v, %d bytes, the least is %d", err, r.Steps[r.Best].Required, least)
	}
}

// TestAutoTakesTheLeastArena: without a budget no level has a smaller arena.
func TestAutoTakesTheLeastArena(t *testing.T) {
	for seed := range some(2) {
		autoTakesTheLeastArena(t, wide(t, seed+2))
	}
}

func autoTakesTheLeastArena(t *testing.T, m *tflite.Model) {
	t.Helper()
	g := goal()
	g.Alias = rules.DiagonalAlias
	r, level, err := Auto(t.Context(), m, g)
	if err != nil {
		t.Fatal(err)
	}
	best := r.Steps[r.Best]
	if len(r.Steps) < 2 || best.Data == nil || level == "" || r.Bottleneck == nil || best.Required >= r.Steps[0].Required {
		t.Fatalf("%d steps, --alias %s, %d bytes of %d", len(r.Steps), level, best.Required, r.Steps[0].Required)
	}
	for _, alias := range rules.Aliases() {
		g := g
		g.Alias = alias
		least := run(t, t.Context(), m, g)
		arena := least.Steps[least.Best].Required
		if arena < best.Required {
			t.Errorf("the smallest arena with --alias %s is %d bytes, auto takes %d", alias, arena, best.Required)
		}
		g.Budget = arena
		if _, level, err := Auto(t.Context(), m, g); err != nil || len(level.UpTo()) > len(alias.UpTo()) {
			t.Errorf("%d bytes with --alias %s, %v; %s does", arena, level, err, alias)
		}
	}
}
