package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	drawn "github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestDetectorsInWaves plans detectors in waves, and runs them in LiteRT on random pictures: no tensor is
// larger than in the plan, and those with memory before the run are all of a fixed size.
func TestDetectorsInWaves(t *testing.T) {
	oracle.Require(t)
	runtimes := oracle.Start(t)
	for name, data := range drawn.Detectors() {
		path := filepath.Join(t.TempDir(), name+".tflite")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		inWaves(t, path, "--approach", "shared")
		r := inWaves(t, path)
		late := map[string]bool{}
		for _, w := range r.Waves.List {
			for _, id := range w.Tensors {
				late[id] = true
			}
		}
		m, err := tflite.Parse(data, name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := map[string]map[int64]bool{}
		for seed := range int64(30) {
			answer := runtimes.Run(t, oracle.Request{Runtime: "litert-shapes", Model: path, Seed: 1 + seed, Invokes: 1})
			if answer.Error != "" {
				t.Fatalf("%s: %s", name, answer.Error)
			}
			for _, p := range r.Placements {
				k := slices.IndexFunc(m.Subgraphs[0].Tensors, func(x tflite.Tensor) bool { return m.TensorID(0, x.Index) == p.ID })
				x := &m.Subgraphs[0].Tensors[k]
				bytes, _ := (&tflite.Tensor{Shape: answer.Shapes[k], Type: x.Type}).PackedBytes()
				if bytes > p.SizeBytes || bytes < p.SizeBytes && !late[p.ID] {
					t.Errorf("%s: %s (%s) takes %d bytes, %d in the plan", name, p.ID, p.Name, bytes, p.SizeBytes)
				}
				if late[p.ID] && !slices.Contains(answer.Dynamic, k) {
					t.Errorf("%s: %s (%s) has memory before the run", name, p.ID, p.Name)
				}
				if sizes[p.ID] == nil {
					sizes[p.ID] = map[int64]bool{}
				}
				sizes[p.ID][bytes] = true
			}
		}
		for id := range late {
			if len(sizes[id]) < 2 {
				t.Errorf("%s: %s has the same size for all pictures", name, id)
			}
		}
		if len(late) < 2 {
			t.Errorf("%s: %d late sizes", name, len(late))
		}
	}
}

// inWaves returns the plan of a model in waves; that of its CSV has the same figures.
func inWaves(t *testing.T, path string, flags ...string) *results.Plan {
	t.Helper()
	table := filepath.Join(t.TempDir(), "plan.csv")
	plan := func(args ...string) *results.Plan {
		got := execute(noTerminal(), nil, append(append([]string{"plan", "--waves", "--json", "--strategy", "greedy-by-size"}, flags...), args...)...)
		var r results.Plan
		if err := readOnly([]byte(got.stdout), &r); got.code != exitOK || err != nil {
			t.Fatalf("%s: exit %d: %s %v", args[0], got.code, got.stderr, err)
		}
		return &r
	}
	if got := execute(noTerminal(), nil, append(append([]string{"plan", "--waves", "--strategy", "greedy-by-size"}, flags...), path, "--runtime", "litert", "-o", "csv="+table)...); got.code != exitOK {
		t.Fatalf("%s: exit %d: %s", path, got.code, got.stderr)
	}
	a, b := plan(path, "--runtime", "litert"), plan(table)
	if a.TotalBytes != b.TotalBytes || a.Waves.AtOnceBytes != b.Waves.AtOnceBytes || a.Waves.RunTimeBytes != b.Waves.RunTimeBytes || len(a.Waves.List) != len(b.Waves.List) {
		t.Errorf("%s takes %d bytes in waves, %d as a CSV problem", path, a.TotalBytes, b.TotalBytes)
	}
	return a
}

// TestDetectionInOneWave: the sizes of an SSD with the custom operator for its detections are all fixed, and
// are LiteRT's.
func TestDetectionInOneWave(t *testing.T) {
	path := filepath.Join(corpus.Dir(t), "models", "nets", "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite")
	r := inWaves(t, path)
	answer := oracle.Start(t).Run(t, oracle.Request{Runtime: "litert-shapes", Model: path})
	if answer.Error != "" || len(answer.Dynamic) > 0 {
		t.Fatal(answer.Error, answer.Dynamic)
	}
	if len(r.Waves.List) != 1 || r.TotalBytes != r.Waves.AtOnceBytes {
		t.Error(r.Waves)
	}
	var sizes []int64
	for _, p := range r.Placements {
		if strings.HasPrefix(p.Name, "TFLite_Detection_PostProcess") {
			sizes = append(sizes, p.SizeBytes)
			elements := int64(1)
			for _, d := range answer.Shapes[167+len(sizes)-1] {
				elements *= int64(d)
			}
			if p.SizeBytes != 4*elements {
				t.Errorf("%s takes %d bytes, and has %d elements in LiteRT", p.ID, p.SizeBytes, elements)
			}
		}
	}
	if !slices.Equal(sizes, []int64{160, 40, 40, 4}) {
		t.Error(sizes)
	}
}

// TestNoLargestSize names the tensor and the operator of a size without a limit, and what to do.
func TestNoLargestSize(t *testing.T) {
	number := func(name string, buffer int) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT32, HasRank: true, Buffer: buffer}
	}
	data := encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: []byte{0, 0, 0, 0}}, {Data: []byte{1, 0, 0, 0}}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{number("zero", 1), number("limit", 0), number("one", 2), {Name: "count", Type: schema.TensorTypeINT32, Shape: []int32{1}}},
			Inputs:  []int{1}, Outputs: []int{3},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorRANGE, Inputs: []int{0, 1, 2}, Outputs: []int{3}}},
		}},
	})
	path := filepath.Join(t.TempDir(), "range.tflite")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	got := execute(noTerminal(), nil, "plan", "--waves", "--runtime", "litert", path)
	for _, want := range []string{"tensor 0:3 (count)", "operator 0:0 RANGE", "its input 1 is computed from data", "known_at"} {
		if got.code != exitInvalid || !strings.Contains(got.stderr, want) {
			t.Errorf("exit %d: %s", got.code, got.stderr)
		}
	}
}
