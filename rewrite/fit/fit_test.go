package fit

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/merge"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// network returns a built-in network.
func network(t *testing.T, name string) *tflite.Model {
	t.Helper()
	data, err := models.Build(name, models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// long leaves a test out where little time is to be spent.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out: a search takes seconds")
	}
}

func goal() Goal {
	return Goal{
		MaxOverhead: -1, Alias: rules.NoAlias, Target: rules.DefaultTarget(),
		Scratch: func(m *tflite.Model) []rules.Request { return rules.ReferenceScratch(m, rules.DefaultTarget()) },
	}
}

// TestEstimatesHold: the peak that the search promises is that of the file that comes out,
// with takeovers and without.
func TestEstimatesHold(t *testing.T) {
	long(t)
	for _, test := range []struct {
		name  string
		alias rules.Alias
	}{
		{"mobilenet-v1", rules.NoAlias},
		{"blazeface", rules.NoAlias},
		{"blazeface", rules.SafeAlias},
		{"blazeface", rules.ElementwiseAlias},
		{"mobilenet-v1", rules.OverwriteAlias},
	} {
		name, alias := test.name, test.alias
		m := network(t, name)
		v, err := micro(m)
		if err != nil {
			t.Fatal(err)
		}
		row := newRow(v, alias, nil)
		edges, _ := row.edges(t.Context(), 0, leastWork, nil)
		points := frontier(t.Context(), edges, len(row.breadth))
		if len(points) < 2 {
			t.Errorf("%s: %d points", name, len(points))
		}
		for i := 0; i < len(points); i += 1 + len(points)/6 {
			p := &points[i]
			cut, err := row.cut(p, false)
			if err != nil {
				t.Fatalf("%s %v: %v", name, p.stages(), err)
			}
			w, err := micro(cut)
			if err != nil {
				t.Fatal(err)
			}
			if peak := lifetime.MaxBreadth(w.Records()); peak != p.sure {
				t.Errorf("%s %v: peak %d, promised %d", name, p.stages(), peak, p.sure)
			}
			merged := merge.Merge(w.Remaining(alias), w.Takeovers(alias), nil)
			if peak := lifetime.MaxBreadth(merged.Records); peak != p.peak {
				t.Errorf("%s %v: peak %d with --alias %s, promised %d", name, p.stages(), peak, alias, p.peak)
			}
			if own := op.RunMACs(cut, 0); own-op.RunMACs(m, 0) != p.macs {
				t.Errorf("%s %v: %d more multiply-accumulates, promised %d", name, p.stages(), own-op.RunMACs(m, 0), p.macs)
			}
		}
	}
}

// TestFitMeetsBudgets: what is called met is, on the file that comes out; each step of the
// ladder has a smaller head than the one before.
func TestFitMeetsBudgets(t *testing.T) {
	long(t)
	m := network(t, "mobilenet-v1")
	for _, head := range []int64{4 << 20, 2 << 20, 1_300_000} {
		g := goal()
		g.Head = head
		r, err := Fit(t.Context(), m, g)
		if err != nil {
			t.Fatal(err)
		}
		best := r.Rungs[r.Best]
		if !r.Met || best.Head > head {
			t.Errorf("budget %d: met %t, head %d", head, r.Met, best.Head)
		}
		for i := 1; i < len(r.Rungs); i++ {
			if r.Rungs[i].Head >= r.Rungs[i-1].Head || r.Rungs[i].Arena > r.Rungs[i-1].Arena {
				t.Errorf("budget %d: step %q is no gain over %q", head, r.Rungs[i].Name, r.Rungs[i-1].Name)
			}
		}
		out, err := tflite.Parse(best.Data, "out")
		if err != nil {
			t.Fatal(err)
		}
		v, err := verify.Plan(out)
		if err != nil || !v.OK() {
			t.Errorf("budget %d: the plan is broken: %v %v", head, v, err)
		}
	}
}

// TestFitSaysWhy: a budget below everything is not met, and the report says what binds.
func TestFitSaysWhy(t *testing.T) {
	long(t)
	g := goal()
	g.Arena = 1000
	r, err := Fit(t.Context(), network(t, "mobilenet-v1"), g)
	if err != nil {
		t.Fatal(err)
	}
	if r.Met || r.Binding == "" || len(r.Frontier) == 0 || r.Floor <= 0 {
		t.Errorf("met %t, binding %q, %d points, floor %d", r.Met, r.Binding, len(r.Frontier), r.Floor)
	}
}

// TestFitOverhead: no more extra work is taken than is allowed.
func TestFitOverhead(t *testing.T) {
	long(t)
	g := goal()
	g.Head, g.MaxOverhead = 1_000_000, 0
	r, err := Fit(t.Context(), network(t, "mobilenet-v1"), g)
	if err != nil {
		t.Fatal(err)
	}
	if extra := r.Rungs[r.Best].ExtraMACs; extra > 0 {
		t.Errorf("%d extra multiply-accumulates", extra)
	}
}

// TestFitStops: an end at any time leaves a report of what was found until then.
func TestFitStops(t *testing.T) {
	m := network(t, "mobilenet-v1")
	for _, after := range []time.Duration{0, 5 * time.Millisecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		r, err := Fit(ctx, m, goal())
		cancel()
		if err != nil || !r.Interrupted && after == 0 || len(r.Rungs) == 0 {
			t.Errorf("after %v: %+v, %v", after, r, err)
		}
	}
}

// TestFitTwice: the same model and goal give the same file.
func TestFitTwice(t *testing.T) {
	long(t)
	g := goal()
	g.Head = 2 << 20
	var first []byte
	for range 2 {
		r, err := Fit(t.Context(), network(t, "mobilenet-v1"), g)
		if err != nil {
			t.Fatal(err)
		}
		data := r.Rungs[r.Best].Data
		if first != nil && !bytes.Equal(first, data) {
			t.Error("two runs give two files")
		}
		first = data
	}
}
