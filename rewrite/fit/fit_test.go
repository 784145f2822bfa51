package fit

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// drawn returns the network of convolutions of a seed.
func drawn(t *testing.T, seed uint64) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(network.Convolutions(seed), fmt.Sprint("convolutions ", seed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// builtIn returns a built-in network.
func builtIn(t *testing.T, name string) *tflite.Model {
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

// TestFitMeetsBudgets: what is called met is, on the file that comes out; each step of the
// ladder has a smaller head than the one before.
func TestFitMeetsBudgets(t *testing.T) {
	long(t)
	m := builtIn(t, "mobilenet-v1")
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
	r, err := Fit(t.Context(), builtIn(t, "mobilenet-v1"), g)
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
	r, err := Fit(t.Context(), builtIn(t, "mobilenet-v1"), g)
	if err != nil {
		t.Fatal(err)
	}
	if extra := r.Rungs[r.Best].ExtraMACs; extra > 0 {
		t.Errorf("%d extra multiply-accumulates", extra)
	}
}

// TestFitStops: an end at any time leaves a report of what was found until then.
func TestFitStops(t *testing.T) {
	m := builtIn(t, "mobilenet-v1")
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
		r, err := Fit(t.Context(), builtIn(t, "mobilenet-v1"), g)
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
