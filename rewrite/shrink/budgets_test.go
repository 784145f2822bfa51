package shrink

import (
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// TestHeadAndArena: budgets of the head and the arena are met together, in a file whose plan is right and
// in which the runtime takes what the report says.
func TestHeadAndArena(t *testing.T) {
	long(t)
	for _, m := range some(t, 4) {
		g := goal()
		g.Alias = rules.DiagonalAlias
		own := ownOf(t, m)
		g.HeadBudget, g.Budget = own.Head*6/10, own.Required*9/10
		r := run(t, t.Context(), m, g)
		if b := &r.Steps[r.Best]; !r.Met {
			t.Errorf("%s: head %d within %d, arena %d within %d", m.Name, b.Head, g.HeadBudget, b.Required, g.Budget)
		} else {
			checkStep(t, m, g, b)
		}
	}
}

// TestMoreRoundsAreNoWorse: a search with one more round ends with a model that is at least as good, also if only that round meets
// the budget by itself, so that fewer goals are tried.
func TestMoreRoundsAreNoWorse(t *testing.T) {
	long(t)
	data, err := models.Build("blazeface-int8", models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface-int8")
	if err != nil {
		t.Fatal(err)
	}
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	g := Goal{Budget: 190 << 10, MaxOverhead: -1, Device: device, tuning: complete(), Rounds: 2}
	two := run(t, t.Context(), m, g)
	g.Rounds = 3
	three := run(t, t.Context(), m, g)
	if a, b := &two.Steps[two.Best].Cost, &three.Steps[three.Best].Cost; !two.search.late || !three.Met || g.Compare(a, b) < 0 {
		t.Errorf("%+v after two rounds, missed by them alone: %t; %+v after three, met: %t", *a, two.search.late, *b, three.Met)
	}
}

// TestStricterIsNoWorse: a goal with one more budget leads to no model that is better in everything than
// the result without that budget.
func TestStricterIsNoWorse(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: hundreds of searches; -audit has them")
	}
	const models, mostBytes = 20, 600_000
	tried, met, dominated := 0, 0, 0
	files := corpus.Accepted(t)
	for _, k := range rand.New(rand.NewPCG(3, 4)).Perm(len(files)) {
		m, err := tflite.Open(files[k].Path)
		if err != nil {
			t.Fatal(err)
		}
		device := rules.DefaultDevice()
		if tried == models || len(m.Data) > mostBytes || len(device.Rules().Faults(m)) > 0 || len(m.Subgraphs[0].Operators) < 4 {
			continue
		}
		tried++
		for _, part := range []int64{80, 65, 50} {
			for _, a := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias, rules.DiagonalAlias} {
				g := Goal{MaxOverhead: -1, Alias: a, Device: device, Rounds: 1}
				g.HeadBudget = ownOf(t, m).Head * part / 100
				r := run(t, t.Context(), m, g)
				if !r.Met {
					continue
				}
				met++
				best := &r.Steps[r.Best].Cost
				g.Budget = best.Required * 95 / 100
				if stricter := run(t, t.Context(), m, g); stricter.Met && stricter.Steps[stricter.Best].dominates(best) {
					dominated++
					t.Errorf("%s: --head %d --alias %s: %+v, and with --arena %d: %+v", m.Name, g.HeadBudget, a, *best, g.Budget, stricter.Steps[stricter.Best].Cost)
				}
			}
		}
	}
	if t.Logf("%d models, %d head budgets met, %d results dominated", tried, met, dominated); tried < models || met == 0 {
		t.Error("too few models")
	}
}
