package fit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/fit/internal/route"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// chooser returns the choice among all paths of a network, and its paths.
func chooser(t *testing.T, m *tflite.Model, alias rules.Alias) *choice {
	t.Helper()
	g := goal()
	g.Alias = alias
	f := newFitter(m, g)
	if err := f.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := micro(m)
	if err != nil {
		t.Fatal(err)
	}
	row := f.row(v, 0)
	list, paths := f.candidates(t.Context(), row)
	return &choice{fit: f, ctx: t.Context(), row: row, links: route.New(row, list), paths: paths, promising: f.promising(paths)}
}

// TestRoutesAreBuilt: a path that a router finds leads to a file with a plan within the limit,
// and where nothing needs to be cut nothing is.
func TestRoutesAreBuilt(t *testing.T) {
	found, cut := 0, 0
	for seed := range uint64(8) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			c := chooser(t, drawn(t, seed), alias)
			whole := c.row.AsIs(0, c.row.Len()).Cost.Peak
			for eighths := int64(4); eighths <= 9; eighths++ {
				limit := parts.RoundUp(whole * eighths / 8)
				p, ok := c.by([]float64{1}, c.router(limit, limit))
				if !ok {
					continue
				}
				found++
				cut += min(len(p.Stages()), 1)
				if eighths >= 8 && len(p.Stages()) > 0 {
					t.Errorf("seed %d %s within %d: cut %+v for nothing", seed, alias, limit, p.Stages())
				}
				o, err := c.take(&p, limit)
				if err != nil || o.rung.Head > limit && c.agrees(&p) {
					t.Errorf("seed %d %s: head %d within %d: %v", seed, alias, o.rung.Head, limit, err)
				}
			}
		}
	}
	if found < 40 || cut < 10 {
		t.Errorf("%d paths were found, %d of them with stages: too few to tell", found, cut)
	}
}

// TestTakeOnce: what was built before is the same, and what is done to its rung is not seen by
// the next who takes it.
func TestTakeOnce(t *testing.T) {
	c := chooser(t, drawn(t, 1), rules.NoAlias)
	p := &c.paths[len(c.paths)-1]
	first, err := c.take(p, 0)
	if err != nil {
		t.Fatal(err)
	}
	first.rung.Name = "changed"
	second, err := c.take(p, 0)
	if err != nil || second.model != first.model || second.rung.Name != "patches" || second.rung.Head != first.rung.Head {
		t.Errorf("%+v, then %+v, %v", first.rung, second.rung, err)
	}
}

// checkRung compares a rung with the file that it is said to be.
func checkRung(t *testing.T, m *tflite.Model, g Goal, r *Rung) {
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

// TestRungsAreTheirFiles: each rung is what its file is, the best one keeps to the goal, and no
// way on the frontier is above another in all.
func TestRungsAreTheirFiles(t *testing.T) {
	long(t)
	met, rungs := 0, 0
	for seed := range uint64(8) {
		m := wide(t, seed)
		g := goal()
		g.Alias = rules.Aliases()[seed%4]
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
			best := &r.Rungs[r.Best]
			for i := range r.Rungs {
				checkRung(t, m, g, &r.Rungs[i])
			}
			if r.Met != g.met(best) || g.MaxOverhead == 0 && best.ExtraMACs > 0 {
				t.Errorf("%s: met %t, %+v", m.Name, r.Met, best)
			}
			if r.Met {
				met++
			}
			rungs += len(r.Rungs) - 1
			checkFrontier(t, m, g.Alias, r.Frontier)
		}
	}
	if met < 10 || rungs < 20 {
		t.Errorf("%d budgets were met with %d rungs: too few to tell", met, rungs)
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
