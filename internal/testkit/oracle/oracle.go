// Package oracle runs models in the real runtimes, TensorFlow Lite Micro and LiteRT, so that tests do
// not depend on our model of them.
//
// The runtimes are Python wheels, pinned in requirements.txt and driven by oracle.py; ".ci/oracles"
// installs them in the project's virtual environment.
package oracle

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/oracle/venv"
	"github.com/tflarena/tflarena/lifetime/rules"
)

//go:embed oracle.py
var program string

// A Request is one run of a model.
type Request struct {
	// Runtime is "tflm" or "litert"; [Runtimes.Allocates], [Runtimes.Resized] and [Runtimes.Chain]
	// have others.
	Runtime string `json:"runtime"`
	// Kernels names LiteRT's operator resolver; empty means its reference kernels.
	Kernels string `json:"kernels,omitempty"`
	// Model is the path of the file.
	Model string `json:"model"`
	// Arena is the size of TensorFlow Lite Micro's arena in bytes.
	Arena int64 `json:"arena"`
	// Inputs and Outputs are how many the model has.
	Inputs  int `json:"inputs"`
	Outputs int `json:"outputs"`
	// Linear makes a runtime give every tensor memory of its own; TensorFlow Lite Micro
	// then reports no sizes.
	Linear bool `json:"linear,omitempty"`
	// InPlace asks LiteRT which outputs lie where an input does.
	InPlace bool `json:"in_place,omitempty"`
	// Seed decides the inputs, the same for all runtimes.
	Seed int64 `json:"seed"`
	// Invokes is how often the model runs; its state goes on from run to run.
	Invokes int `json:"invokes"`
	// Arenas are sizes of arenas in bytes to be tried.
	Arenas []int64 `json:"arenas,omitempty"`
	// Decompression is the size in bytes of TensorFlow Lite Micro's alternate decompression memory.
	Decompression int64 `json:"decompression,omitempty"`
	// Shapes are those that LiteRT is to give the inputs, in their order.
	Shapes [][]int32 `json:"shapes,omitempty"`
	// Parts are the parts of the model that LiteRT is to run one after another, and Graph the inputs and
	// outputs of the model, by tensor index.
	Parts []Part   `json:"parts,omitempty"`
	Graph [2][]int `json:"graph,omitzero"`
}

// A Part is a file with some operators of a model. Inputs and Outputs are tensor indexes of the
// model.
type Part struct {
	Model   string `json:"model"`
	Inputs  []int  `json:"inputs"`
	Outputs []int  `json:"outputs"`
}

// An Answer is the result of a run.
type Answer struct {
	// Head, Tail and Total are what TensorFlow Lite Micro reports of its arena, in
	// bytes.
	Head  int64 `json:"head"`
	Tail  int64 `json:"tail"`
	Total int64 `json:"total"`
	// Outputs holds a digest of each output after each invoke.
	Outputs [][]string `json:"outputs"`
	// InPlace has the index of an operator of the first subgraph, and of the tensor, for
	// each input that lies where the operator's first output does, scalars left out; nil
	// where LiteRT does not know before a run where all tensors lie.
	InPlace [][2]int `json:"in_place"`
	// Error is the runtime's own reason for not running the model.
	Error string `json:"error"`
	// Results has for each of Arenas what the model computed in it; "" for a failure or a crash.
	Results []string `json:"results"`
	// Shapes has the shape of each tensor of the first subgraph after its inputs were resized,
	// nil for those that LiteRT does not show.
	Shapes [][]int32 `json:"shapes"`
	// Dynamic are tensors whose shape depends on values, so that they have none before a run.
	Dynamic []int `json:"dynamic"`
}

// Allocates returns for each size in bytes whether TensorFlow Lite Micro allocates a model in an arena
// of that size. Each size is tried in a separate process; a crash counts as no.
func (r *Runtimes) Allocates(t testing.TB, model string, sizes ...int64) []bool {
	t.Helper()
	allocates := make([]bool, len(sizes))
	for i, result := range r.Tries(t, Request{Model: model}, sizes...) {
		allocates[i] = result != ""
	}
	return allocates
}

// Tries runs a model in arenas of several sizes in bytes, each in a separate process. The result is ""
// if TensorFlow Lite Micro does not allocate or run it, or crashes; results are equal if the outputs
// are.
func (r *Runtimes) Tries(t testing.TB, request Request, sizes ...int64) []string {
	t.Helper()
	request.Runtime, request.Arenas = "tflm-allocate", sizes
	a := r.Run(t, request)
	if a.Error != "" || len(a.Results) != len(sizes) {
		t.Fatalf("%s: %s, %d answers to %d sizes", request.Model, a.Error, len(a.Results), len(sizes))
	}
	return a.Results
}

// Resized returns the shapes of all tensors of the first subgraph in LiteRT after the inputs were
// resized and the model has run invokes times; ok is false if LiteRT rejects them.
func (r *Runtimes) Resized(t testing.TB, model string, inputs [][]int32, invokes int) (shapes [][]int32, dynamic []int, ok bool) {
	t.Helper()
	a := r.Run(t, Request{Runtime: "litert-shapes", Model: model, Shapes: inputs, Invokes: invokes})
	return a.Shapes, a.Dynamic, a.Error == ""
}

// Chain runs the parts of a model one after another in LiteRT, each with the outputs of the previous
// ones. The answer has the outputs of the model.
func (r *Runtimes) Chain(t testing.TB, request Request) Answer {
	t.Helper()
	request.Runtime = "litert-chain"
	return r.Run(t, request)
}

// Runtimes is a process that runs models. It is not safe for concurrent use.
type Runtimes struct {
	python string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// Require skips the test with a message if the runtimes are not installed, or fails it if
// TFLARENA_REQUIRE_ORACLE is 1. A test with subtests that use the runtimes calls it itself: if only the
// subtests were skipped, it would go on without results.
func Require(t testing.TB) {
	t.Helper()
	Python(t)
}

// Python returns the interpreter with the runtimes. Without them it does as [Require].
func Python(t testing.TB) string {
	t.Helper()
	return venv.Require(t, "the runtimes are", "import tflite_micro, ai_edge_litert")
}

// Start returns runtimes that stop when the test ends. Without them it does as [Require].
func Start(t testing.TB) *Runtimes {
	t.Helper()
	r := &Runtimes{python: Python(t)}
	t.Cleanup(r.stop)
	return r
}

// Run runs a model. A crash of a runtime is an answer with an Error.
func (r *Runtimes) Run(t testing.TB, request Request) Answer {
	t.Helper()
	if r.cmd == nil {
		if err := r.start(); err != nil {
			t.Fatal(err)
		}
	}
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	_, writeErr := r.in.Write(append(line, '\n'))
	reply, readErr := r.out.ReadBytes('\n')
	if writeErr != nil || readErr != nil {
		err := r.cmd.Wait()
		r.cmd = nil
		return Answer{Error: fmt.Sprintf("the runtime crashed: %v", err)}
	}
	var a Answer
	if err := json.Unmarshal(reply, &a); err != nil {
		t.Fatalf("answer %q: %v", reply, err)
	}
	return a
}

func (r *Runtimes) start() error {
	r.cmd = exec.Command(r.python, "-c", program)
	in, err := r.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.in, r.out = in, bufio.NewReader(out)
	return r.cmd.Start()
}

func (r *Runtimes) stop() {
	if r.cmd == nil {
		return
	}
	r.in.Close()
	// The process ends with its input; its exit status does not matter.
	_ = r.cmd.Wait()
}

// Device returns the device that the TensorFlow Lite Micro wheel stands for.
func Device(t testing.TB) rules.Device {
	t.Helper()
	device, err := rules.DefaultDevice().WithABI("host64")
	if err != nil {
		t.Fatal(err)
	}
	return device
}
