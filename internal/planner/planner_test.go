package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/network"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/schema"
)

// asker asks a planner.
type asker struct {
	*testing.T
	*Planner
	said []string
}

func newAsker(t *testing.T) *asker {
	a := &asker{T: t}
	a.Planner = New(func(r Reply) {
		if r.Kind != "progress" || r.Message == "" {
			t.Errorf("said %+v", r)
		}
		a.said = append(a.said, r.Message)
	})
	return a
}

// ask returns the reply to a request, which has to be of a kind.
func (a *asker) ask(kind string, r Request, data []byte) Reply {
	a.Helper()
	return a.askIn(a.Context(), kind, r, data)
}

func (a *asker) askIn(ctx context.Context, kind string, r Request, data []byte) Reply {
	a.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		a.Fatal(err)
	}
	reply := a.Answer(ctx, string(text), data)
	if reply.Kind != kind {
		a.Fatalf("%s: %s, not %s: %s", text, reply.Kind, kind, reply.Message)
	}
	return reply
}

func (a *asker) open(data []byte) Reply {
	a.Helper()
	return a.ask("report", Request{Do: "open", Name: "m.tflite", Kernels: "reference", Alias: "off"}, data)
}

// A planner opens a model, judges it, makes smaller ones, and says how far it is.
func TestPlanner(t *testing.T) {
	a := newAsker(t)
	if f := a.ask("facts", Request{Do: "facts"}, nil).Facts; len(f.Kernels) < 3 || len(f.Aliases) < 3 || f.Aliases[0] != "off" {
		t.Errorf("%+v", f)
	}
	data := network.Convolutions(9, 8)
	a.ask("plausible", Request{Do: "look"}, data[:64])
	a.open(data)
	if len(a.said) == 0 {
		t.Error("it said nothing while it planned")
	}
	own := a.ask("model", Request{Do: "rewrite"}, nil)
	if own.Model.Before < own.Model.After || len(own.Data) == 0 {
		t.Errorf("%+v", own.Model)
	}
	if own.Model.File != "m-rewritten.tflite" {
		t.Error(own.Model.File)
	}
	fits := a.ask("verdict", Request{Do: "judge", Arena: "1G"}, nil)
	if fits.Verdict.Plan != "file" || fits.Verdict.Budget != 1<<30 || !strings.Contains(fits.Message, "as it is") {
		t.Errorf("%+v %s", fits.Verdict, fits.Message)
	}
	misfit := a.ask("verdict", Request{Do: "judge", Arena: "1K"}, nil)
	if misfit.Verdict.Plan != "" || !strings.Contains(misfit.Message, "does not fit") {
		t.Errorf("%+v %s", misfit.Verdict, misfit.Message)
	}
	least := a.ask("model", Request{Do: "fit"}, nil)
	if !least.Model.Changed || least.Report == nil || least.Model.Plan != "fitted" || !strings.HasPrefix(least.Message, "the head is ") {
		t.Errorf("%+v %s", least.Model, least.Message)
	}
	unmet := a.ask("model", Request{Do: "fit", Arena: "1K"}, nil)
	if unmet.Data != nil || unmet.Report == nil || !strings.Contains(unmet.Message, "not met") {
		t.Errorf("%+v %s", unmet.Model, unmet.Message)
	}
}

// What cannot be done is said, and the planner goes on.
func TestPlannerFails(t *testing.T) {
	a := newAsker(t)
	bad := []byte("this is no model, but it is long enough")
	for _, c := range []struct {
		request Request
		data    []byte
		says    string
	}{
		{Request{Do: "judge", Arena: "1K"}, nil, "no model is open"},
		{Request{Do: "look"}, bad, "this is not a TensorFlow Lite model"},
		{Request{Do: "open", Name: "m", Alias: "off"}, bad, "this is not a TensorFlow Lite model"},
		{Request{Do: "open", Name: "m", Alias: "any"}, bad, "none of"},
		{Request{Do: "open", Name: "m", Kernels: "none such", Alias: "off"}, network.Convolutions(2, 8), "none such"},
		{Request{Do: "rewrite"}, nil, "no model is open"},
		{Request{Do: "dance"}, nil, "no model is open"},
	} {
		if got := a.ask("failed", c.request, c.data); !strings.Contains(got.Message, c.says) || got.Stopped {
			t.Errorf("%+v: %+v", c.request, got)
		}
	}
	if got := a.Answer(t.Context(), "{", nil); got.Kind != "failed" {
		t.Errorf("%+v", got)
	}
	a.open(network.Convolutions(2, 8))
	for _, text := range []string{"", "12 apples", "0"} {
		a.ask("failed", Request{Do: "judge", Arena: text}, nil)
	}
	a.ask("failed", Request{Do: "dance"}, nil)
	a.ask("verdict", Request{Do: "judge", Arena: "64K"}, nil)
}

// A search that is stopped answers with the best until then, and nothing is lost.
func TestPlannerStops(t *testing.T) {
	a := newAsker(t)
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	open := Request{Do: "open", Name: "m.tflite", Kernels: "reference", Alias: "off"}
	if got := a.askIn(stopped, "failed", open, data); !got.Stopped {
		t.Errorf("%+v", got)
	}
	a.open(data)
	got := a.askIn(stopped, "model", Request{Do: "fit", Arena: "100K"}, nil)
	if got.Data != nil || !strings.HasPrefix(got.Message, "stopped") {
		t.Errorf("%+v, %s", got.Model, got.Message)
	}
	a.ask("verdict", Request{Do: "judge", Arena: "64K"}, nil)
}

// A verdict is about models that somebody has, and that run as they are.
func TestVerdictIsAboutWhatThereIs(t *testing.T) {
	a := newAsker(t)
	data := network.Convolutions(9, 8)
	a.open(data)
	unmet := a.ask("model", Request{Do: "fit", Arena: "1K"}, nil)
	if unmet.Data != nil || unmet.Model.After >= unmet.Model.Before {
		t.Fatalf("%+v", unmet.Model)
	}
	if v := a.ask("verdict", Request{Do: "judge", Arena: fmt.Sprint(unmet.Model.After)}, nil); v.Verdict.Plan != "" {
		t.Errorf("%s: nobody was given the model", v.Message)
	}
	a.ask("report", Request{Do: "open", Name: "m.tflite", Kernels: "reference", Alias: "diagonal"}, data)
	over := a.ask("model", Request{Do: "rewrite"}, nil)
	if !over.Model.Changed {
		t.Fatal("nothing gained: the plan needs no certain kernels")
	}
	for kernels, plan := range map[string]string{"reference": "file", "cmsis-nn-dsp": "rewritten"} {
		a.ask("report", Request{Do: "open", Name: "m.tflite", Kernels: kernels, Alias: "off"}, over.Data)
		if v := a.ask("verdict", Request{Do: "judge", Arena: "1G"}, nil); v.Verdict.Plan != plan && (plan == "file" || v.Verdict.Plan == "file") {
			t.Errorf("with %s: %s", kernels, v.Message)
		}
	}
}

// A model whose first run fails with the kernels of the target fits into no arena.
func TestVerdictKnowsTheKernels(t *testing.T) {
	a := newAsker(t)
	typed := func(kind schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Type: kind, Shape: shape}
	}
	i8, i32 := schema.TensorTypeINT8, schema.TensorTypeINT32
	state := typed(i8, 1, 48)
	state.Variable = true
	data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{
			typed(i8, 1, 9), typed(i8, 12, 9), typed(i8, 12, 4), typed(i32, 6), state, typed(i8, 1, 6),
		},
		Operators: []encode.Operator{{
			Builtin: schema.BuiltinOperatorSVDF, Inputs: []int{0, 1, 2, 3, 4}, Outputs: []int{5},
			OptionsType: schema.BuiltinOptionsSVDFOptions, Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.SVDFOptionsStart(b)
				schema.SVDFOptionsAddRank(b, 2)
				return schema.SVDFOptionsEnd(b)
			},
		}},
	}}})
	for kernels, runs := range map[string]bool{"cmsis-nn-dsp": true, "cmsis-nn-dsp-size": false} {
		a.ask("report", Request{Do: "open", Name: "m.tflite", Kernels: kernels, Alias: "off"}, data)
		v := a.ask("verdict", Request{Do: "judge", Arena: "1G"}, nil)
		if fits := v.Verdict.Plan != ""; fits != runs {
			t.Errorf("with %s: %s", kernels, v.Message)
		}
	}
}
