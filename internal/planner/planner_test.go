package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/network"
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

// A planner opens a model, checks it, makes smaller ones, and reports progress.
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
	if own.Model.Before.Required < own.Model.After.Required || len(own.Data) == 0 {
		t.Errorf("%+v", own.Model)
	}
	if own.Model.File != "m-rewritten.tflite" {
		t.Error(own.Model.File)
	}
	fits := a.ask("verdict", Request{Do: "judge", Arena: "1G"}, nil)
	if fits.Verdict.Plan != "file" || fits.Verdict.Budget != 1<<30 || !strings.HasPrefix(fits.Message, "FITS: requires ") {
		t.Errorf("%+v %s", fits.Verdict, fits.Message)
	}
	misfit := a.ask("verdict", Request{Do: "judge", Arena: "1K"}, nil)
	if misfit.Verdict.Plan != "" || !strings.HasPrefix(misfit.Message, "DOES NOT FIT: ") {
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

// Every sample opens, and is the network of the command; files may have such names, too.
func TestPlannerSamples(t *testing.T) {
	a := newAsker(t)
	list := a.ask("facts", Request{Do: "facts"}, nil).Facts.Samples
	if len(list) < 3 {
		t.Errorf("%+v", list)
	}
	for _, s := range list {
		open := Request{Do: "open", Name: s.Name, Kernels: "reference", Alias: "off"}
		if got := a.ask("report", open, nil); !strings.Contains(string(got.Data), `"input":"`+s.Name+`"`) {
			t.Errorf("%+v: %.200s", s, got.Data)
		}
		if got := a.ask("model", Request{Do: "rewrite"}, nil); got.Model.File != strings.TrimPrefix(s.Name, "builtin:")+"-rewritten.tflite" {
			t.Errorf("%+v", got.Model)
		}
		small := network.Convolutions(2, 8)
		if got := a.ask("report", open, small); !strings.Contains(string(got.Data), fmt.Sprintf(`"file_bytes":%d`, len(small))) {
			t.Errorf("%+v is opened in place of a file", s)
		}
	}
	a.ask("failed", Request{Do: "open", Name: "builtin:none", Kernels: "reference", Alias: "off"}, nil)
}

// Errors are reported, and the planner goes on.
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
		{Request{Do: "open", Name: "m", Alias: "any"}, bad, "is not one of"},
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
	data := builtin.Model(t, "blazeface").Data
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

// A verdict is about available models that run unmodified.
func TestVerdictIsAboutWhatThereIs(t *testing.T) {
	a := newAsker(t)
	data := network.Convolutions(9, 8)
	a.open(data)
	unmet := a.ask("model", Request{Do: "fit", Arena: "1K"}, nil)
	if unmet.Data != nil || unmet.Model.After.Required >= unmet.Model.Before.Required {
		t.Fatalf("%+v", unmet.Model)
	}
	if v := a.ask("verdict", Request{Do: "judge", Arena: fmt.Sprint(unmet.Model.After.Required)}, nil); v.Verdict.Plan != "" {
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

// A model that was fitted stays, also when a larger one is made after it.
func TestVerdictKnowsTheSmallest(t *testing.T) {
	a := newAsker(t)
	a.open(network.Convolutions(9, 24))
	first := a.ask("model", Request{Do: "fit", Arena: "400K"}, nil).Model
	// The model as it is is within a large budget.
	if second := a.ask("model", Request{Do: "fit", Arena: "600K"}, nil).Model; !first.Changed || second.Changed || second.After.Required <= first.After.Required {
		t.Fatalf("%+v is no larger than %+v", second, first)
	}
	if v := a.ask("verdict", Request{Do: "judge", Arena: fmt.Sprint(first.After.Required)}, nil); v.Verdict.Plan != "fitted" {
		t.Error(v.Message)
	}
}

// No budget holds where the kernels that were chosen stop the first run, although others run the model.
func TestVerdictIsForTheKernels(t *testing.T) {
	data := network.SVDF()
	a := newAsker(t)
	for kernels, fits := range map[string]bool{"reference": true, "cmsis-nn-dsp-size": false} {
		a.ask("report", Request{Do: "open", Name: "m.tflite", Kernels: kernels, Alias: "off"}, data)
		if v := a.ask("verdict", Request{Do: "judge", Arena: "1G"}, nil); (v.Verdict.Plan != "") != fits || strings.HasPrefix(v.Message, "DOES NOT RUN: ") == fits {
			t.Errorf("with %s: %s", kernels, v.Message)
		}
	}
}
