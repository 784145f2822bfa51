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
	m := wide(t, 15)
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
	g.Auto = true
	for k, budget := range arenas {
		if least = min(least, budget); k%2 > 0 && !*golden.Audit {
			continue
		}
		g.Budget = budget
		r := run(t, t.Context(), m, g)
		level := r.Alias
		if !r.Met || r.Steps[r.Best].Required > budget {
			t.Errorf("%d bytes: met %v, %d bytes with --alias %s", budget, r.Met, r.Steps[r.Best].Required, level)
		}
		for _, lesser := range level.UpTo() {
			goal := g
			goal.Alias, goal.Auto = lesser, false
			if lesser != level && run(t, t.Context(), m, goal).Met {
				t.Errorf("level %d, %d bytes: --alias %s, although %s meets the budget", k, budget, level, lesser)
			}
		}
	}
	g.Budget = 1
	if r := run(t, t.Context(), m, g); r.Met || r.Steps[r.Best].Required != least {
		t.Errorf("%d bytes, the least is %d", r.Steps[r.Best].Required, least)
	}
}

// TestAutoTakesTheLeastArena: without a budget no level has a smaller arena.
func TestAutoTakesTheLeastArena(t *testing.T) {
	autoTakesTheLeastArena(t, wide(t, 15))
	if *golden.Audit {
		autoTakesTheLeastArena(t, wide(t, 2))
		autoTakesTheLeastArena(t, wide(t, 3))
	}
}

func autoTakesTheLeastArena(t *testing.T, m *tflite.Model) {
	t.Helper()
	g := goal()
	g.Alias = rules.DiagonalAlias
	g.Auto = true
	r := run(t, t.Context(), m, g)
	level := r.Alias
	best := r.Steps[r.Best]
	if len(r.Steps) < 2 || best.Data == nil || level == "" || r.Bottleneck == nil || best.Required >= r.Steps[0].Required {
		t.Fatalf("%d steps, --alias %s, %d bytes of %d", len(r.Steps), level, best.Required, r.Steps[0].Required)
	}
	for _, alias := range rules.Aliases() {
		g := g
		g.Alias, g.Auto = alias, false
		least := run(t, t.Context(), m, g)
		arena := least.Steps[least.Best].Required
		if arena < best.Required {
			t.Errorf("the smallest arena with --alias %s is %d bytes, auto takes %d", alias, arena, best.Required)
		}
		g.Budget = arena
		g.Auto = true
		if level := run(t, t.Context(), m, g).Alias; len(level.UpTo()) > len(alias.UpTo()) {
			t.Errorf("%d bytes with --alias %s; %s does", arena, level, alias)
		}
	}
}
