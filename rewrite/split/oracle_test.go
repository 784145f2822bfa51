package split_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func open(t *testing.T, name string) *tflite.Model {
	t.Helper()
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(name)+".tflite"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inPieces returns the file with a stage cut.
func inPieces(t *testing.T, m *tflite.Model, s split.Stage) []byte {
	t.Helper()
	f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	r, err := edit.Apply(m, edit.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}, rewrite.Options{Force: true})
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return r.Data
}

// Stages of real networks give the same outputs in both real runtimes, bit by bit.
func TestRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	for _, test := range []struct {
		model  string
		stages []split.Stage
	}{
		{"micro/person_detect", []split.Stage{{First: 0, Last: 7, Rows: 3, Columns: 3}, {First: 0, Last: 12, Rows: 5, Columns: 1, Mode: split.Keep}, {First: 0, Last: 3, Rows: 3, Columns: 1, Carry: true, Widen: true}, {First: 0, Last: 7, Rows: 3, Columns: 4, Carry: true, Widen: true}}},
		{"micro/vww_96_int8", []split.Stage{{First: 0, Last: 7, Rows: 4, Columns: 2}, {First: 0, Last: 12, Rows: 6, Columns: 1, Mode: split.Keep}}},
		{"micro/pretrainedResnet_quant", []split.Stage{{First: 0, Last: 11, Rows: 2, Columns: 2}, {First: 0, Last: 7, Rows: 8, Columns: 1, Mode: split.Keep, Carry: true}, {First: 0, Last: 7, Rows: 16, Columns: 1, Mode: split.Keep}}},
		{"nets/tf2_mobilenet_v2_1.0_224_ptq", []split.Stage{{First: 1, Last: 13, Rows: 4, Columns: 4}, {First: 1, Last: 13, Rows: 4, Columns: 4, Carry: true}, {First: 1, Last: 13, Rows: 14, Columns: 1, Mode: split.Keep}}},
		{"nets/mcunet-320kb-1mb_imagenet", []split.Stage{{First: 0, Last: 18, Rows: 3, Columns: 4}, {First: 0, Last: 25, Rows: 11, Columns: 1, Mode: split.Keep}}},
	} {
		m := open(t, test.model)
		request := oracle.Request{
			Model: sample.Written(t, m.Data), Arena: 1 << 28, Seed: 1, Invokes: 2,
			Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
		}
		for _, runtime := range []string{"tflm", "litert"} {
			request.Runtime = runtime
			want := runtimes.Run(t, request)
			if want.Error != "" {
				t.Logf("left out: %s runs %s not at all", runtime, test.model)
				continue
			}
			for _, s := range test.stages {
				cut := request
				cut.Model = sample.Written(t, inPieces(t, m, s))
				got := runtimes.Run(t, cut)
				name := fmt.Sprintf("%s, %+v, in %s", test.model, s, runtime)
				if got.Error != "" {
					t.Errorf("%s: %s", name, got.Error)
				} else if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" {
					t.Errorf("%s: outputs differ (-before +after):\n%s", name, diff)
				}
				if runtime == "tflm" {
					t.Logf("%s: head %d -> %d, tail %d -> %d", name, want.Head, got.Head, want.Tail, got.Tail)
				}
			}
		}
	}
}

// Random networks of floats give the same outputs in both real runtimes, bit by bit,
// whatever of them is cut.
func TestRuntimesRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	type example struct {
		m *tflite.Model
		s split.Stage
	}
	examples := rapid.Custom(func(t *rapid.T) example {
		m, _ := networkOf(t, schema.TensorTypeFLOAT32)
		return example{m, randomStage(t, m)}
	})
	ran := 0
	for seed := range 400 {
		e := examples.Example(seed)
		if _, err := split.Cut(e.m, e.s, len(e.m.Subgraphs[0].Tensors)); err != nil {
			continue
		}
		whole := oracle.Request{Runtime: "tflm", Model: sample.Written(t, e.m.Data), Arena: 1 << 24, Seed: 1, Invokes: 1, Inputs: 1, Outputs: 1}
		cut := whole
		cut.Model = sample.Written(t, inPieces(t, e.m, e.s))
		for _, runtime := range []string{"tflm", "litert"} {
			whole.Runtime, cut.Runtime = runtime, runtime
			want, got := runtimes.Run(t, whole), runtimes.Run(t, cut)
			if want.Error != "" {
				t.Logf("network %d: %s", seed, want.Error)
				continue
			}
			ran++
			if got.Error != "" || !cmp.Equal(want.Outputs, got.Outputs) {
				t.Errorf("network %d, %+v, in %s: %v %s, was %v", seed, e.s, runtime, got.Outputs, got.Error, want.Outputs)
			}
		}
	}
	t.Logf("%d runs", ran)
}
