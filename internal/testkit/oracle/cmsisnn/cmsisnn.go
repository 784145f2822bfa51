// Package cmsisnn asks CMSIS-NN itself how much scratch its kernels need, so that tests compare with
// the library's own functions and not with what we believe they do.
//
// The functions come in a Python wheel, pinned in requirements.txt and driven by sizes.py; ".ci/oracles"
// installs it beside the runtimes of package oracle. They give sizes only: the wheel has no kernels.
package cmsisnn

import (
	"bytes"
	_ "embed"
	"fmt"
	"os/exec"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/oracle/venv"
)

//go:embed sizes.py
var program string

// A Type says of how many bits the input and the weights are.
type Type int

// The types that there are functions for.
const (
	Int8  Type = iota // both of 8
	Int4              // inputs of 8, and weights of 4
	Int16             // inputs of 16, and weights of 8
)

// A Core is a kind of processor. It is an index of [Sizes].
type Core int

// The kinds of processors.
const (
	MVE    Core = iota // with Helium
	DSP                // with the DSP extension
	Scalar             // without SIMD
)

// A Question is about the operator that a function looks at. Shapes are batch, height, width and
// channels; what else has two dimensions is height and width. What a function does not look at is 0.
type Question struct {
	// Function is one of those of sizes.py.
	Function                  string
	Type                      Type
	Input, Filter, Output     [4]int
	Padding, Stride, Dilation [2]int
	// Multiplier is how many output channels a depthwise convolution makes of each input channel.
	Multiplier int
}

// Sizes are the sizes in bytes for each [Core].
type Sizes [3]int64

// Ask returns the answers to questions, in their order. All go to one process. Where the wheel is not
// installed it does as [venv.Require].
func Ask(t testing.TB, questions []Question) []Sizes {
	t.Helper()
	cmd := exec.Command(Require(t), "-c", program)
	var lines, stderr bytes.Buffer
	for _, q := range questions {
		q.write(&lines)
	}
	cmd.Stdin, cmd.Stderr = &lines, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("CMSIS-NN: %v\n%s", err, &stderr)
	}
	answers := make([]Sizes, len(questions))
	for i, r := 0, bytes.NewReader(out); i < len(answers); i++ {
		a := &answers[i]
		if _, err := fmt.Fscan(r, &a[MVE], &a[DSP], &a[Scalar]); err != nil {
			t.Fatalf("answer %d of %d: %v", i+1, len(answers), err)
		}
	}
	return answers
}

//go:embed load.py
var loader string

// Header declares the functions of CMSIS-NN that return sizes of scratch, with what they take; the wheel
// has no header.
//
//go:embed sizes.h
var Header []byte

// Run returns what main of a shared object prints, which may call the functions. Where the wheel is not
// installed it does as [venv.Require].
func Run(t testing.TB, object string) []byte {
	t.Helper()
	python := venv.Require(t, "the functions of CMSIS-NN are", loader)
	var stderr bytes.Buffer
	cmd := exec.Command(python, "-c", loader, object)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("CMSIS-NN: %v\n%s", err, &stderr)
	}
	return out
}

// Require returns the interpreter that has the wheel. Where it is not installed it does as
// [venv.Require].
func Require(t testing.TB) string {
	t.Helper()
	return venv.Require(t, "the functions of CMSIS-NN are", program)
}

// write writes a question as sizes.py reads it.
func (q *Question) write(b *bytes.Buffer) {
	words := []any{q.Function, int(q.Type)}
	for _, shape := range [][4]int{q.Input, q.Filter, q.Output} {
		words = append(words, shape[0], shape[1], shape[2], shape[3])
	}
	for _, pair := range [][2]int{q.Padding, q.Stride, q.Dilation} {
		words = append(words, pair[0], pair[1])
	}
	fmt.Fprintln(b, append(words, q.Multiplier)...)
}
