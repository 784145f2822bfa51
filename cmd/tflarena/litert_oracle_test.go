package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	drawn "github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/tflite"
)

var (
	networks     = flag.Int("networks", 60, "how many random networks are reordered and run in the real runtimes")
	firstNetwork = flag.Int("network", 0, "the number of the first of them")
)

// sharing are LiteRT's ways to run a model in which its own planner has tensors share memory.
var sharing = []string{"BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"}

// TestReorderedNetworks rewrites random networks, with many in-place operators in LiteRT, in better
// orders. TensorFlow Lite Micro's outputs are bit-identical to the file's. LiteRT's are the same as
// without shared memory, and the same as the file's unless a warning states otherwise.
func TestReorderedNetworks(t *testing.T) {
	oracle.Require(t)
	o := &orders{T: t, runtimes: oracle.Start(t), dir: t.TempDir()}
	for i := range *networks {
		name := fmt.Sprintf("network %d", *firstNetwork+i)
		o.try(name, write(t, filepath.Join(o.dir, "model.tflite"), drawn.Draw(uint64(*firstNetwork+i))))
	}
	t.Logf("%d files of %d networks with operators in new places, %d with a plan besides; LiteRT is wrong in the order of %d, and was mended in %d",
		o.moved, *networks, o.planned, o.wrong, o.mended)
	if *networks >= 50 && (o.moved < *networks/10 || o.wrong == 0) {
		t.Error("too few to tell")
	}
}

// TestReorderedFound rewrites the models in which LiteRT was found to go wrong.
func TestReorderedFound(t *testing.T) {
	oracle.Require(t)
	o := &orders{T: t, runtimes: oracle.Start(t), dir: t.TempDir()}
	for _, name := range []string{"reorder_litert.tflite", "litertbug_orig.tflite", "lstm_unrolled.int8.tflite"} {
		o.try(name, filepath.Join(corpus.Dir(t), "found", name))
	}
	if o.moved > 0 || o.wrong != 1 {
		t.Errorf("%d files with operators in new places, and %d wrong in their own: nothing is to be gained in any, and one is wrong", o.moved, o.wrong)
	}
}

// TestNoGainInTheArena: a smaller head that needs as large an arena is no reason to write.
func TestNoGainInTheArena(t *testing.T) {
	path := filepath.Join(corpus.Dir(t), "found", "lstm_unrolled.int8.tflite")
	for _, flags := range [][]string{{"--reorder"}, {"--reorder", "--remove"}} {
		out := filepath.Join(t.TempDir(), "out.tflite")
		got := execute(ofWidth(400), nil, append([]string{"rewrite", "--allow-faults", path, "-o", out}, flags...)...)
		same, err := sameFile(path, out)
		if got.code != exitOK || err != nil || !same {
			t.Errorf("%v: exit %d, the output a copy: %t, %v", flags, got.code, same, err)
		}
		if !strings.Contains(got.stdout, "required arena is no smaller") {
			t.Errorf("%v: nothing is said of the arena: %s", flags, got.stdout)
		}
	}
}

func sameFile(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, err
	}
	y, err := os.ReadFile(b)
	return string(x) == string(y), err
}

// Orders are what was seen of models in better orders.
type orders struct {
	*testing.T
	runtimes                      *oracle.Runtimes
	dir                           string
	moved, planned, wrong, mended int
}

// try reorders a model in each way, and runs what comes out.
func (o *orders) try(name, path string) {
	o.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		o.Fatal(err)
	}
	request := oracle.Request{
		Model: path, Arena: 1 << 24, Seed: 1, Invokes: 2,
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	micro := runIn(o.T, o.runtimes, request, "tflm")
	apart := map[string]oracle.Answer{}
	for _, k := range sharing {
		alone := request
		alone.Linear = true
		apart[k] = runWith(o.T, o.runtimes, alone, "litert", k)
	}
	warned := false
	for _, flags := range [][]string{{"--reorder"}, {"--reorder", "--remove"}, {"--reorder", "--alias", "safe"}} {
		request.Model = filepath.Join(o.dir, "out.tflite")
		got := execute(noTerminal(), nil, append([]string{"rewrite", "--allow-faults", path, "-o", request.Model, "--json"}, flags...)...)
		var r results.Rewrite
		if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			o.Fatalf("%s %v: exit %d: %s %v", name, flags, got.code, got.stderr, err)
		}
		warned = strings.Contains(got.stderr, "order of the file")
		after := runIn(o.T, o.runtimes, request, "tflm")
		if micro.Error != after.Error || !cmp.Equal(micro.Outputs, after.Outputs) {
			o.Errorf("%s %v: other outputs in TensorFlow Lite Micro: %s", name, flags, after.Error)
		}
		if r.OperatorsMoved > 0 {
			o.moved++
			if r.Action == results.Embedded {
				o.planned++
			}
			if warned {
				o.mended++
			}
		}
		for _, k := range sharing {
			lite := runWith(o.T, o.runtimes, request, "litert", k)
			right := lite.Error == "" && cmp.Equal(apart[k].Outputs, lite.Outputs)
			if !right && (r.OperatorsMoved > 0 || !warned) {
				o.Errorf("%s %v: LiteRT computes something else with %s when tensors share memory: %s", name, flags, k, lite.Error)
			}
		}
	}
	if warned {
		o.wrong++
	}
}
