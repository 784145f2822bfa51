package app_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// figures returns the figures of a model as the runtime sees it.
func figures(t *testing.T, m *tflite.Model) rules.Figures {
	t.Helper()
	e, err := embedded.Follow(t.Context(), rules.DefaultDevice(), m, "")
	if err != nil {
		t.Fatal(err)
	}
	return e.Outcome.Arena(rules.DefaultDevice()).Figures
}

// custom is a model with an operator of the application, whose memory is unknown, and refused one with
// an operator that the runtime does not have.
func custom() []byte { return unary(encode.Operator{Custom: "mine"}) }

func refused() []byte { return unary(encode.Operator{Builtin: schema.BuiltinOperatorHASHTABLE}) }

func unary(o encode.Operator) []byte {
	o.Inputs, o.Outputs = []int{0}, []int{1}
	tensor := func(name string) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: []int32{1, 64}}
	}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor("x"), tensor("y")}, Inputs: []int{0}, Outputs: []int{1}, Operators: []encode.Operator{o},
	}}})
}

// A rewritten file has the figures of its result, requires no larger arena, and is not rewritten again.
func TestRewrite(t *testing.T) {
	gained := 0
	list := []*tflite.Model{builtin.Model(t, "blazeface")}
	for seed := range uint64(6) {
		list = append(list, modelfile.Parse(t, network.Convolutions(seed, 8)))
	}
	for i, m := range list {
		for _, reorder := range []bool{false, true} {
			o := app.RewriteOptions{Goal: improve.Goal{Device: rules.DefaultDevice(), Alias: rules.SafeAlias, Reorder: reorder}}
			w, err := app.Rewrite(t.Context(), t.Context(), m, o)
			if err != nil {
				t.Fatal(err)
			}
			r := w.Result("out")
			if r.Input != m.Name || r.Output != "out" || r.Before.Figures != figures(t, m).Stated() || r.After.Figures != figures(t, modelfile.Parse(t, w.Data)).Stated() {
				t.Errorf("model %d: %+v of a model with %+v", i, r, figures(t, m))
			}
			if r.After.Required > r.Before.Required {
				t.Errorf("model %d: %d B, and before %d B", i, r.After.Required, r.Before.Required)
			} else if r.After.Required < r.Before.Required {
				gained++
			}
			again, err := app.Rewrite(t.Context(), t.Context(), modelfile.Parse(t, w.Data), o)
			if err != nil || !bytes.Equal(again.Data, w.Data) {
				t.Errorf("model %d: the rewritten model is rewritten: %v", i, err)
			}
		}
	}
	if gained == 0 {
		t.Error("nothing was gained")
	}
}

// Only what was requested is made of a model, and only in time.
func TestRewriteRefuses(t *testing.T) {
	o := app.RewriteOptions{Goal: improve.Goal{Device: rules.DefaultDevice()}}
	if _, err := app.Rewrite(t.Context(), t.Context(), modelfile.Parse(t, refused()), o); !errors.As(err, new(*notes.FaultyError)) {
		t.Error(err)
	}
	o.AllowFaults = true
	w, err := app.Rewrite(t.Context(), t.Context(), modelfile.Parse(t, refused()), o)
	if err != nil {
		t.Fatal(err)
	}
	if r := w.Result(""); len(r.Warnings) == 0 || len(r.Faults) == 0 {
		t.Errorf("%+v", r)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	m := modelfile.Parse(t, network.Convolutions(3, 8))
	if _, err := app.Rewrite(ended, ended, m, o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	if _, err := app.Rewrite(t.Context(), late, m, o); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Weights behind the flatbuffer are moved into it, and nothing else.
func TestRewriteInlinesWeights(t *testing.T) {
	weights := bytes.Repeat([]byte{7}, 64)
	tensor := func(name string, buffer int) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: []int32{1, 64}, Buffer: buffer, Quantization: encode.Quantization{Scales: []float32{1}, Zeros: []int64{0}}}
	}
	encoded := func(b encode.Buffer, tail []byte) []byte {
		return encode.Encode(encode.Model{Buffers: []encode.Buffer{b}, Tail: tail, Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{tensor("x", 0), tensor("w", 1), tensor("y", 0)}, Inputs: []int{0}, Outputs: []int{2},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 1}, Outputs: []int{2}}},
		}}})
	}
	at := uint64(len(encoded(encode.Buffer{Offset: 1 << 20, Size: 64}, nil)))
	m := modelfile.Parse(t, encoded(encode.Buffer{Offset: at, Size: 64}, weights))
	o := app.RewriteOptions{Goal: improve.Goal{Device: rules.DefaultDevice()}, InlineWeights: true, AllowFaults: true}
	w, err := app.Rewrite(t.Context(), t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	made := modelfile.Parse(t, w.Data)
	if b := made.Buffers[made.Subgraphs[0].Tensors[1].Buffer]; !bytes.Equal(b.Data, weights) || len(w.Changes) == 0 {
		t.Errorf("%+v, changes %q", b, w.Changes)
	}
}

// A budget that a model needs is met by it, and a smaller one is missed by the difference.
func TestFit(t *testing.T) {
	m := modelfile.Parse(t, network.Convolutions(9, 1))
	goal := shrink.Goal{Device: rules.DefaultDevice(), MaxOverhead: -1, Rounds: 1}
	least, err := app.Fit(t.Context(), m, app.FitOptions{Goal: goal})
	if err != nil || least.Missed() {
		t.Fatal(err)
	}
	goal.Budget = least.Required()
	met, err := app.Fit(t.Context(), m, app.FitOptions{Goal: goal})
	if err != nil || met.Missed() || met.Required() > goal.Budget || met.Held() != goal.Budget {
		t.Fatalf("%+v %v", met, err)
	}
	if met.Remedy() != nil {
		t.Error("a met budget has a remedy")
	}
	r, o, err := met.Result(nil)
	if err != nil || !o.Verdict.Writes() || r.After.Figures != figures(t, modelfile.Parse(t, o.Data)).Stated() || r.Shortfall != nil {
		t.Errorf("%+v %v", r, err)
	}
	goal.Budget = 16
	missed, err := app.Fit(t.Context(), m, app.FitOptions{Goal: goal})
	if err != nil || !missed.Missed() {
		t.Fatalf("%+v %v", missed, err)
	}
	var options []string
	if err := missed.Explain(t.Context(), t.Context(), missed.Goal); err != nil || missed.Remedy() != nil {
		t.Fatalf("%+v %v", missed.Remedy(), err)
	}
	r, o, err = missed.Result(func(w *shrink.Way) string {
		options = append(options, string(w.Alias))
		return "another"
	})
	if err != nil || o.Verdict != shrink.Unmet || r.Shortfall.RequiredBytes != missed.Required()-16 || len(r.Shortfall.Ways) != len(options) {
		t.Errorf("%+v %v", r, err)
	}
}

// Auto takes the lowest level that meets the budget.
func TestFitAuto(t *testing.T) {
	m := modelfile.Parse(t, network.Convolutions(9, 4))
	all := rules.Aliases()
	goal := shrink.Goal{Device: rules.DefaultDevice(), MaxOverhead: -1, Alias: all[len(all)-1], Auto: true, Budget: figures(t, m).Required}
	f, err := app.Fit(t.Context(), m, app.FitOptions{Goal: goal})
	if err != nil || f.Missed() || f.Goal.Alias != rules.NoAlias {
		t.Errorf("%+v %v", f, err)
	}
}

// A model with faults is not fitted, nor one of unknown arena into a budget.
func TestFittable(t *testing.T) {
	o := app.FitOptions{Goal: shrink.Goal{Device: rules.DefaultDevice()}}
	for _, c := range []struct {
		name                   string
		data                   []byte
		budget                 int64
		allow, faulty, unknown bool
		warns                  int
	}{
		{name: "refused", data: refused(), faulty: true},
		{name: "refused, but allowed", data: refused(), allow: true},
		{name: "unknown", data: custom(), warns: 1},
		{name: "unknown in a budget", data: custom(), budget: math.MaxInt64, unknown: true},
		{name: "good in a budget", data: network.Convolutions(1, 8), budget: 1},
	} {
		o.Budget, o.AllowFaults = c.budget, c.allow
		warnings, err := app.Fittable(t.Context(), modelfile.Parse(t, c.data), o)
		if errors.As(err, new(*notes.FaultyError)) != c.faulty || errors.As(err, new(*app.UnknownArenaError)) != c.unknown || len(warnings) != c.warns {
			t.Errorf("%s: %v %v", c.name, warnings, err)
		}
	}
}

// The points of the trade-off table fall in their arena.
func TestFrontier(t *testing.T) {
	m := modelfile.Parse(t, network.Convolutions(9, 4))
	r, s, err := app.Frontier(t.Context(), m, shrink.Goal{Device: rules.DefaultDevice(), MaxOverhead: -1, Alias: rules.SafeAlias})
	if err != nil || s.Interrupted || len(r.Levels) != 2 || r.Before.Figures != figures(t, m).Stated() {
		t.Fatalf("%+v %v", r, err)
	}
	for _, level := range r.Levels {
		var arenas []int64
		for _, p := range level.Points {
			arenas = append(arenas, -p.Required)
		}
		if !slices.IsSorted(arenas) || len(arenas) == 0 {
			t.Errorf("--alias %s: %v", level.Alias, arenas)
		}
	}
}
