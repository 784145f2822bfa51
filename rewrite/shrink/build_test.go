package shrink

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkStep compares a step with the file that it is said to be.
func checkStep(t *testing.T, m *tflite.Model, g Goal, r *Candidate) {
	t.Helper()
	if r.Data == nil {
		return
	}
	out, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	var offsets []int32
	plans, err := rewrite.ReadPlans(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) > 0 {
		offsets = plans[len(plans)-1].Offsets
	}
	o, err := pin.Follow(t.Context(), rules.Micro(), out, offsets, g.Device.Requests(out))
	if err != nil {
		t.Fatal(err)
	}
	arena := o.Arena(g.Device)
	got := []int64{
		arena.Head, arena.Tail, arena.Used, arena.Required, op.RunMACs(out, 0) - op.RunMACs(m, 0),
		int64(len(out.Subgraphs[0].Operators)), int64(len(out.Data)),
	}
	want := []int64{r.Head, r.Tail, r.Used, r.Required, r.ExtraMACs, int64(r.Operators), r.FileBytes}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %s: head, tail, both, arena, work, operators, bytes (-said +in the file):\n%s", m.Name, r.Name, diff)
	}
	for k := 1; k < len(r.Stages) && g.HeadBudget+g.Budget > 0; k++ { // the least head is looked for again in what was found
		if r.Stages[k].First <= r.Stages[k-1].Last {
			t.Errorf("%s, %s: stages %+v", m.Name, r.Name, r.Stages)
		}
	}
}

// TestStepsAreTheirFiles: each step is what its file is, the best one keeps to the goal, and no
// way on the frontier is above another in all.
func TestStepsAreTheirFiles(t *testing.T) {
	long(t)
	met, steps := 0, 0
	for seed, m := range some(t, 6) {
		g := goal()
		g.Alias = rules.Aliases()[(seed+1)%4]
		own := ownOf(t, m)
		for k, parts := range []int64{9, 7, 6} {
			g.HeadBudget, g.Budget, g.MaxOverhead = own.Head*parts/10, 0, -1
			if k == 1 {
				g.MaxOverhead = 0
			}
			if seed%3 == 0 {
				g.HeadBudget, g.Budget = 0, own.Required*parts/10
			}
			r := run(t, t.Context(), m, g)
			best := &r.Steps[r.Best]
			for i := range r.Steps {
				checkStep(t, m, g, &r.Steps[i])
			}
			if r.Met != g.met(&best.Cost) || g.MaxOverhead == 0 && best.ExtraMACs > 0 {
				t.Errorf("%s: met %t, %+v", m.Name, r.Met, best)
			}
			if r.Met {
				met++
			}
			steps += len(r.Steps) - 1
			checkFrontier(t, m, g.Alias, r.Frontier)
		}
	}
	if met < 3 || steps < 6 {
		t.Errorf("%d budgets were met with %d steps: too few to tell", met, steps)
	}
}

// checkFrontier looks for estimates that are above another in all. Where tensors share memory,
// some promise more without that.
func checkFrontier(t *testing.T, m *tflite.Model, alias rules.Alias, list []Estimate) {
	t.Helper()
	for i, a := range list {
		if i > 0 && a.Head > list[i-1].Head {
			t.Errorf("%s: a head of %d B behind one of %d", m.Name, a.Head, list[i-1].Head)
		}
		if alias == rules.NoAlias && slices.ContainsFunc(list[:i], func(b Estimate) bool {
			return a.Head <= b.Head && a.Tail <= b.Tail && a.ExtraMACs <= b.ExtraMACs
		}) {
			t.Errorf("%s: %+v is as good as one in front of it", m.Name, a)
		}
	}
}
