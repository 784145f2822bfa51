package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/models"
)

// whole runs the unmodified model, with the inputs of the segments, and prints digests of its outputs.
const whole = `
import hashlib, json, sys
import numpy as np
from tflarena.stream import load
from tflarena.stream.data import random_inputs
from tflarena.stream.runner import interpreter_of
manifest = load(sys.argv[2])
interpreter = interpreter_of(open(sys.argv[1], "rb").read(), 1, manifest.default_delegate)
inputs = random_inputs(manifest, {}, 1)
for tensor, d in zip(manifest.inputs, interpreter.get_input_details()):
    interpreter.set_tensor(d["index"], inputs[tensor])
interpreter.invoke()
print(json.dumps({t: hashlib.sha256(np.ascontiguousarray(interpreter.get_tensor(d["index"])).tobytes()).hexdigest()
                  for t, d in zip(manifest.outputs, interpreter.get_output_details())}))
`

// A segmentRun is the output of the runner of segments for some runs in one budget.
type segmentRun struct {
	BudgetBytes int64             `json:"budget_bytes"`
	TakenBytes  int64             `json:"taken_bytes"`
	ReadBytes   int64             `json:"change_read_bytes"`
	Outputs     map[string]string `json:"outputs"`
}

// segmentRuns is the output for one budget, or for several.
type segmentRuns struct {
	Segments int `json:"segments"`
	segmentRun
	Budgets []segmentRun `json:"budgets"`
}

// TestSegmentsRun cuts networks for small and large budgets, each alone and all together, and runs them in LiteRT: the outputs
// are those of the whole model, and the process takes no more than the budget, also after each change of the budget, with
// LiteRT's default delegate and without one.
func TestSegmentsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtime takes a while")
	}
	networks := []string{"squeezenet-1.1", "mobilenet-v2-int8"}
	if *golden.Audit {
		networks = append(networks, "resnet50-int8")
	}
	for _, name := range networks {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			model := networkFile(t, dir, name)
			for _, delegate := range []bool{false, true} {
				least := segmented(t, model, dir, delegate, 64<<10)
				budgets := []int64{least, least * 3 / 2, 1 << 30}
				folder := filepath.Join(dir, fmt.Sprint("all", delegate))
				segmented(t, model, folder, delegate, budgets...)
				want := wholeOutputs(t, model, filepath.Join(folder, manifestFile))
				compareRun(t, want, filepath.Join(folder, manifestFile), 1<<30, least, least*3/2)
				for i, budget := range budgets {
					folder := filepath.Join(dir, fmt.Sprint(i, delegate))
					segmented(t, model, folder, delegate, budget)
					compareRun(t, want, filepath.Join(folder, manifestFile))
				}
			}
			changedSegment(t, filepath.Join(dir, "0 false"))
		})
	}
}

// networkFile writes a built-in network with random weights.
func networkFile(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := models.Build(name, models.Options{Weights: models.Random})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(dir, "model.tflite"), data)
}

// segmented cuts a model for budgets, and returns the least one.
func segmented(t *testing.T, model, folder string, delegate bool, budgets ...int64) int64 {
	t.Helper()
	args := []string{"stream", model, "--macs-per-second", "5e9", "--bandwidth", "100M", "--segments", folder, "--json", fmt.Sprint("--default-delegate=", delegate)}
	for _, budget := range budgets {
		args = append(args, "--budget", fmt.Sprint(budget))
	}
	got := execute(noTerminal(), nil, args...)
	return streamElements(t, got)[0].LeastBudgetBytes
}

// wholeOutputs runs a whole model, and returns the hashes of its outputs by tensor.
func wholeOutputs(t *testing.T, model, manifest string) (outputs map[string]string) {
	t.Helper()
	out, problems, code := inPython(t, "-c", whole, model, manifest)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	if err := json.Unmarshal([]byte(out), &outputs); err != nil {
		t.Fatal(err)
	}
	return outputs
}

// compareRun runs segments, in one budget after another if there are any, and compares their outputs with those of the whole
// model.
func compareRun(t *testing.T, want map[string]string, manifest string, budgets ...int64) {
	t.Helper()
	args := []string{"-m", "tflarena.stream.run", manifest, "--runs", "3", "--json"}
	for _, budget := range budgets {
		args = append(args, "--budget", fmt.Sprint(budget))
	}
	out, problems, code := inPython(t, args...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	var got segmentRuns
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	runs := got.Budgets
	if len(budgets) == 0 {
		runs = []segmentRun{got.segmentRun}
	}
	if len(runs) != max(len(budgets), 1) {
		t.Fatalf("%d budgets were run, of %d", len(runs), len(budgets))
	}
	for i, run := range runs {
		if diff := cmp.Diff(want, run.Outputs); diff != "" {
			t.Errorf("%d segments: the outputs differ (-whole +segments):\n%s", got.Segments, diff)
		}
		if run.TakenBytes > run.BudgetBytes || i < len(budgets) && run.BudgetBytes > budgets[i] {
			t.Errorf("%d segments take %d bytes of a budget of %d", got.Segments, run.TakenBytes, run.BudgetBytes)
		}
		t.Logf("%d segments take %d bytes of a budget of %d, after reading %d", got.Segments, run.TakenBytes, run.BudgetBytes, run.ReadBytes)
	}
}

// changedSegment changes a segment, and then takes it away: each time the runner names it and stops.
func changedSegment(t *testing.T, folder string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "segment-0002-*.tflite"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	path := found[0]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	for _, change := range []func() error{
		func() error { return os.WriteFile(path, data, 0o600) },
		func() error { return os.Remove(path) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		out, problems, code := inPython(t, "-m", "tflarena.stream.run", filepath.Join(folder, manifestFile))
		if code != 3 || out != "" || !strings.Contains(problems, "segment 2, "+path) {
			t.Errorf("exit code %d, %s", code, problems)
		}
	}
}

// TestProfile measures a network, and reads the measurements back.
func TestProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtime takes a while")
	}
	dir := t.TempDir()
	model, times := networkFile(t, dir, "squeezenet-1.1"), filepath.Join(dir, "times.csv")
	if _, problems, code := inPython(t, "-m", "tflarena.stream.profile", model, "-o", times, "--read", model, "--runs", "2"); code != 0 {
		t.Fatal(problems)
	}
	if got := execute(noTerminal(), nil, "stream", model, "--times", times, "--bandwidth", "100M", "--budget", "64M"); got.code != exitOK {
		t.Error(got.stderr)
	}
}
